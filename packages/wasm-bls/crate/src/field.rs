//! The field's operations by themselves, so that tests can hold the arithmetic of crate/field against big integers.

use blst::*;
use wasm_bindgen::prelude::wasm_bindgen;

/// An element of Fp as its 48 bytes in memory: little-endian, times 2^384 mod p, under p.
fn read(bytes: &[u8]) -> blst_fp {
    let mut element = blst_fp::default();
    for (limb, bytes) in element.l.iter_mut().zip(bytes.chunks(8)) {
        *limb = bytes
            .iter()
            .rev()
            .fold(0, |limb, &byte| limb << 8 | byte as u64);
    }
    element
}

/// An element of Fp2: its real half, then its imaginary one.
fn read2(bytes: &[u8]) -> blst_fp2 {
    let (real, imaginary) = bytes.split_at(48);
    blst_fp2 {
        fp: [read(real), read(imaginary)],
    }
}

/// An element of Fp6: three of Fp2.
fn read6(bytes: &[u8]) -> blst_fp6 {
    let coordinate = |i: usize| read2(&bytes[96 * i..96 * (i + 1)]);
    blst_fp6 {
        fp2: [coordinate(0), coordinate(1), coordinate(2)],
    }
}

/// An element of Fp12: two of Fp6.
fn read12(bytes: &[u8]) -> blst_fp12 {
    let (low, high) = bytes.split_at(288);
    blst_fp12 {
        fp6: [read6(low), read6(high)],
    }
}

fn bytes(elements: &[blst_fp]) -> Vec<u8> {
    elements
        .iter()
        .flat_map(|element| element.l)
        .flat_map(u64::to_le_bytes)
        .collect()
}

/// What an operation gives: `mul`, `sqr`, `add`, `sub`, `triple`, `eightfold`, `inverse`, of Fp for operands of 48 bytes, of Fp2 for 96; of Fp12 for
/// 576 `mul`, `sqr`, `line` (times b's coordinates 0, 1 and 4, which are its first three) and `cyclotomic` (the square of what is in the cyclotomic
/// subgroup). One that takes a single operand leaves `b` aside. Nothing for another name.
#[wasm_bindgen]
pub fn field(operation: &str, a: &[u8], b: &[u8]) -> Vec<u8> {
    if a.len() == 48 {
        let (a, b, mut ret) = (read(a), read(b), blst_fp::default());
        // SAFETY: all three are elements of Fp that live until the end of the block; operands and result do not overlap.
        unsafe {
            match operation {
                "mul" => blst_fp_mul(&mut ret, &a, &b),
                "sqr" => blst_fp_sqr(&mut ret, &a),
                "add" => blst_fp_add(&mut ret, &a, &b),
                "sub" => blst_fp_sub(&mut ret, &a, &b),
                "triple" => blst_fp_mul_by_3(&mut ret, &a),
                "eightfold" => blst_fp_mul_by_8(&mut ret, &a),
                "inverse" => blst_fp_inverse(&mut ret, &a),
                _ => return Vec::new(),
            }
        }
        return bytes(&[ret]);
    }
    if a.len() == 576 {
        let (a, b, mut ret) = (read12(a), read12(b), blst_fp12::default());
        // SAFETY: all are elements of Fp12, or of Fp6, that live until the end of the block; operands and result do not overlap.
        unsafe {
            match operation {
                "mul" => blst_fp12_mul(&mut ret, &a, &b),
                "sqr" => blst_fp12_sqr(&mut ret, &a),
                "line" => blst_fp12_mul_by_xy00z0(&mut ret, &a, &b.fp6[0]),
                "cyclotomic" => blst_fp12_cyclotomic_sqr(&mut ret, &a),
                _ => return Vec::new(),
            }
        }
        let coordinates: Vec<blst_fp> = ret
            .fp6
            .iter()
            .flat_map(|half| half.fp2.iter().flat_map(|coordinate| coordinate.fp))
            .collect();
        return bytes(&coordinates);
    }
    let (a, b, mut ret) = (read2(a), read2(b), blst_fp2::default());
    // SAFETY: all three are elements of Fp2 that live until the end of the block; operands and result do not overlap.
    unsafe {
        match operation {
            "mul" => blst_fp2_mul(&mut ret, &a, &b),
            "sqr" => blst_fp2_sqr(&mut ret, &a),
            "add" => blst_fp2_add(&mut ret, &a, &b),
            "sub" => blst_fp2_sub(&mut ret, &a, &b),
            "triple" => blst_fp2_mul_by_3(&mut ret, &a),
            "eightfold" => blst_fp2_mul_by_8(&mut ret, &a),
            "inverse" => blst_fp2_inverse(&mut ret, &a),
            _ => return Vec::new(),
        }
    }
    bytes(&ret.fp)
}
