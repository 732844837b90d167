//! Decoded points that stay in kernel memory, each under a number. Which numbers are in use, and whose they are, src/kept-points.ts knows; a
//! number that is not kept here traps, and one that was given back is infinity until it is given out again.

use crate::batch::COEFFICIENT_BITS;
use crate::pairing::{agree, product_is_one};
use crate::point::*;
use crate::suite::SIGNATURE_DST;
use blst::*;
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

/// Points by number, and the numbers that were given back.
struct Shelf<P> {
    points: Vec<P>,
    vacant: Vec<u32>,
}

impl<P: Copy + Default> Shelf<P> {
    const fn new() -> Self {
        Shelf {
            points: Vec::new(),
            vacant: Vec::new(),
        }
    }

    fn keep(&mut self, point: P) -> u32 {
        if let Some(number) = self.vacant.pop() {
            self.points[number as usize] = point;
            return number;
        }
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    fn release(&mut self, number: u32) {
        self.points[number as usize] = P::default();
        self.vacant.push(number);
    }

    fn all(&self, numbers: &[u32]) -> Vec<P> {
        numbers
            .iter()
            .map(|&number| self.points[number as usize])
            .collect()
    }
}

thread_local! {
    static KEYS: RefCell<Shelf<blst_p1_affine>> = const { RefCell::new(Shelf::new()) };
    /// As sums leave them, not affine: an addition then takes no inversion.
    static SIGNATURES: RefCell<Shelf<blst_p2>> = const { RefCell::new(Shelf::new()) };
}

fn keep_key(key: blst_p1_affine) -> u32 {
    KEYS.with_borrow_mut(|keys| keys.keep(key))
}

fn keep_signature(signature: blst_p2) -> u32 {
    SIGNATURES.with_borrow_mut(|signatures| signatures.keep(signature))
}

fn key(number: u32) -> blst_p1_affine {
    KEYS.with_borrow(|keys| keys.points[number as usize])
}

/// A kept signature.
pub fn signature(number: u32) -> blst_p2_affine {
    affine_g2(&SIGNATURES.with_borrow(|signatures| signatures.points[number as usize]))
}

fn kept_signatures(numbers: &[u32]) -> Vec<blst_p2> {
    SIGNATURES.with_borrow(|signatures| signatures.all(numbers))
}

/// A number, or less than zero a fault's.
fn number_or_fault(kept: Result<u32, Fault>) -> i32 {
    kept.map_or_else(|fault| -(fault as i32), |number| number as i32)
}

/// Reads a public key and keeps it: its number, or a fault's times -1.
#[wasm_bindgen]
pub fn keep_public_key(bytes: &[u8]) -> i32 {
    number_or_fault(read_key(bytes).map(keep_key))
}

/// As keep_public_key, for a signature of 96 bytes, or of 192 uncompressed ones.
#[wasm_bindgen]
pub fn keep_decoded_signature(bytes: &[u8]) -> i32 {
    number_or_fault(read_any_g2(bytes).map(|point| keep_signature(projective_g2(&point))))
}

#[wasm_bindgen]
pub fn release_public_key(number: u32) {
    KEYS.with_borrow_mut(|keys| keys.release(number));
}

#[wasm_bindgen]
pub fn release_signature(number: u32) {
    SIGNATURES.with_borrow_mut(|signatures| signatures.release(number));
}

#[wasm_bindgen]
pub fn add_kept_signatures(a: u32, b: u32) -> u32 {
    SIGNATURES.with_borrow_mut(|signatures| {
        let mut sum = signatures.points[a as usize];
        add_any_g2(&mut sum, &signatures.points[b as usize]);
        signatures.keep(sum)
    })
}

/// The sum of at least one.
#[wasm_bindgen]
pub fn sum_kept_signatures(numbers: &[u32]) -> u32 {
    let mut sum = blst_p2::default();
    for point in kept_signatures(numbers) {
        add_any_g2(&mut sum, &point);
    }
    keep_signature(sum)
}

/// The sum of at least one.
#[wasm_bindgen]
pub fn sum_kept_public_keys(numbers: &[u32]) -> u32 {
    let sum = KEYS
        .with_borrow(|keys| sum_g1(numbers.iter().map(|&number| &keys.points[number as usize])));
    keep_key(affine_g1(&sum))
}

#[wasm_bindgen]
pub fn encode_kept_public_key(number: u32) -> Vec<u8> {
    compressed_g1_affine(&key(number))
}

#[wasm_bindgen]
pub fn encode_kept_signature(number: u32, uncompressed: bool) -> Vec<u8> {
    let point = signature(number);
    if uncompressed {
        uncompressed_g2_affine(&point)
    } else {
        compressed_g2_affine(&point)
    }
}

#[wasm_bindgen]
pub fn verify_kept(public_key: u32, message: &[u8], kept: u32) -> bool {
    agree(&key(public_key), &hash_message(message), &signature(kept))
}

/// Whether every signature is its key's on its message, in one check: e(c_1 key_1, message_1) e(c_2 key_2, message_2) .. =
/// e(generator, c_1 signature_1 + c_2 signature_2 ..) for random coefficients c of 8 bytes, little-endian, not zero. Messages come one after
/// the other, with their lengths.
#[wasm_bindgen]
pub fn verify_kept_each(
    public_keys: &[u32],
    lengths: &[u32],
    messages: &[u8],
    signatures: &[u32],
    coefficients: &[u8],
) -> bool {
    let mut rest = messages;
    let mut hashed = Vec::with_capacity(lengths.len());
    for &length in lengths {
        let (message, after) = rest.split_at(length as usize);
        hashed.push(hash_to_g2(message, SIGNATURE_DST));
        rest = after;
    }
    let keys = KEYS.with_borrow(|keys| keys.all(public_keys));
    let signatures = kept_signatures(signatures);
    // SAFETY: references to whole values, which the library reads once.
    let is_infinite = unsafe {
        keys.iter().any(|key| blst_p1_affine_is_inf(key))
            || signatures.iter().any(|point| blst_p2_is_inf(point))
    };
    if is_infinite {
        return false;
    }
    let weighted: Vec<blst_p1> = keys
        .iter()
        .zip(coefficients.chunks(COEFFICIENT_BITS / 8))
        .map(|(key, coefficient)| times_g1(key, coefficient, COEFFICIENT_BITS))
        .collect();
    let signatures = p2_affines::from(signatures.as_slice());
    let sum = affine_g2(&signatures.as_slice().mult(coefficients, COEFFICIENT_BITS));
    let mut g1 = p1_affines::from(weighted.as_slice()).as_slice().to_vec();
    let mut g2 = p2_affines::from(hashed.as_slice()).as_slice().to_vec();
    g1.push(minus_generator());
    g2.push(sum);
    product_is_one(&g1, &g2)
}
