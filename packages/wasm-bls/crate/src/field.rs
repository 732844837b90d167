//! The field's operations by themselves, so that tests can hold the arithmetic of crate/field against big integers.

use crate::ffi::*;
use wasm_bindgen::prelude::wasm_bindgen;

/// An element of Fp as its 48 bytes in memory: little-endian, times 2^384 mod p, under p.
fn read(bytes: &[u8]) -> blst_fp {
    let mut element = blst_fp::default();
    for (limb, bytes) in element.l.iter_mut().zip(bytes.chunks(8)) {
        *limb = bytes.iter().rev().fold(0, |limb, &byte| limb << 8 | byte as u64);
    }
    element
}

/// An element of Fp2: its real half, then its imaginary one.
fn read2(bytes: &[u8]) -> blst_fp2 {
    let (real, imaginary) = bytes.split_at(48);
    blst_fp2 { fp: [read(real), read(imaginary)] }
}

/// An element of Fp6: three of Fp2.
fn read6(bytes: &[u8]) -> blst_fp6 {
    let coordinate = |i: usize| read2(&bytes[96 * i..96 * (i + 1)]);
    blst_fp6 { fp2: [coordinate(0), coordinate(1), coordinate(2)] }
}

/// An element of Fp12: two of Fp6.
fn read12(bytes: &[u8]) -> blst_fp12 {
    let (low, high) = bytes.split_at(288);
    blst_fp12 { fp6: [read6(low), read6(high)] }
}

fn bytes(elements: impl Iterator<Item = blst_fp>) -> Vec<u8> {
    elements.flat_map(|element| element.l).flat_map(u64::to_le_bytes).collect()
}

fn operate<F: Field>(operation: &str, a: &F, b: &F) -> Option<F> {
    Some(match operation {
        "mul" => a.times(b),
        "sqr" => a.squared(),
        "add" => a.plus(b),
        "sub" => a.minus(b),
        "triple" => a.tripled(),
        "eightfold" => a.eightfold(),
        "inverse" => a.inverse(),
        _ => return None,
    })
}

fn operate12(operation: &str, a: &blst_fp12, b: &blst_fp12) -> Option<blst_fp12> {
    Some(match operation {
        "mul" => fp12_times(a, b),
        "sqr" => fp12_squared(a),
        "line" => fp12_times_line(a, &b.fp6[0]),
        "cyclotomic" => fp12_cyclotomic_squared(a),
        _ => return None,
    })
}

/// The result of an operation: `mul`, `sqr`, `add`, `sub`, `triple`, `eightfold`, `inverse`, in Fp for operands of 48
/// bytes, in Fp2 for 96; in Fp12, for 576, `mul`, `sqr`, `line` (times b's coordinates 0, 1 and 4, which are its first
/// three) and `cyclotomic` (the square of what is in the cyclotomic subgroup). An operation of one operand ignores `b`.
/// Empty for another name.
#[wasm_bindgen]
pub fn field(operation: &str, a: &[u8], b: &[u8]) -> Vec<u8> {
    let result = match a.len() {
        48 => operate(operation, &read(a), &read(b)).map(|ret| bytes([ret].into_iter())),
        96 => operate(operation, &read2(a), &read2(b)).map(|ret| bytes(ret.fp.into_iter())),
        _ => operate12(operation, &read12(a), &read12(b)).map(|ret| {
            let coordinates = ret.fp6.into_iter().flat_map(|half| half.fp2);
            bytes(coordinates.flat_map(|coordinate| coordinate.fp))
        }),
    };
    result.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_element_comes_back_as_the_bytes_that_it_was_read_from() {
        let given: Vec<u8> = (0..96).collect();
        assert_eq!(bytes(read2(&given).fp.into_iter()), given);
    }
}
