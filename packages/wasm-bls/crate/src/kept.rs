//! Decoded points that stay in kernel memory, each under a number. src/pointStore.ts knows which numbers are in use,
//! and whose they are; a number that was never given out traps, and one that was given back is infinity until it is
//! given out again.

use crate::ffi::{Affine, Group};
use crate::pairing::{agree, product_is_one, COEFFICIENT_BITS};
use crate::point::*;
use crate::variant::{for_variant, KeySum, SignatureSum, Variant};
use wasm_bindgen::prelude::wasm_bindgen;

fn keep_key<V: Variant>(key: V::Key) -> u32 {
    V::kept_keys().with_borrow_mut(|keys| keys.keep(key))
}

fn keep_signature<V: Variant>(signature: SignatureSum<V>) -> u32 {
    V::kept_signatures().with_borrow_mut(|signatures| signatures.keep(signature))
}

fn key<V: Variant>(number: u32) -> V::Key {
    V::kept_keys().with_borrow(|keys| *keys.one(number))
}

/// A kept signature.
pub fn signature<V: Variant>(number: u32) -> V::Signature {
    V::kept_signatures().with_borrow(|signatures| signatures.one(number).affine())
}

/// A number, or less than zero a fault's.
fn number_or_fault(kept: Result<u32, Fault>) -> i32 {
    kept.map_or_else(|fault| -(fault as i32), |number| number as i32)
}

/// Reads a public key and keeps it: its number, or a fault's times -1.
#[wasm_bindgen]
pub fn keep_public_key(bytes: &[u8], min_sig: Option<bool>) -> i32 {
    for_variant!(min_sig, V => number_or_fault(read_key(bytes).map(keep_key::<V>)))
}

/// As keep_public_key, for a signature, compressed or not.
#[wasm_bindgen]
pub fn keep_decoded_signature(bytes: &[u8], min_sig: Option<bool>) -> i32 {
    for_variant!(min_sig, V => number_or_fault(
        read_any::<<V as Variant>::Signature>(bytes).map(|point| keep_signature::<V>(point.projective()))
    ))
}

#[wasm_bindgen]
pub fn release_public_key(number: u32, min_sig: Option<bool>) {
    for_variant!(min_sig, V => V::kept_keys().with_borrow_mut(|keys| keys.release(number)));
}

#[wasm_bindgen]
pub fn release_signature(number: u32, min_sig: Option<bool>) {
    for_variant!(min_sig, V => V::kept_signatures().with_borrow_mut(|signatures| signatures.release(number)));
}

#[wasm_bindgen]
pub fn add_kept_signatures(a: u32, b: u32, min_sig: Option<bool>) -> u32 {
    for_variant!(min_sig, V => V::kept_signatures().with_borrow_mut(|signatures| {
        let mut sum = *signatures.one(a);
        add_any(&mut sum, signatures.one(b));
        signatures.keep(sum)
    }))
}

/// The sum of at least one.
#[wasm_bindgen]
pub fn sum_kept_signatures(numbers: &[u32], min_sig: Option<bool>) -> u32 {
    for_variant!(min_sig, V => {
        let mut sum = SignatureSum::<V>::default();
        for point in V::kept_signatures().with_borrow(|signatures| signatures.all(numbers)) {
            add_any(&mut sum, &point);
        }
        keep_signature::<V>(sum)
    })
}

/// The sum of at least one.
#[wasm_bindgen]
pub fn sum_kept_public_keys(numbers: &[u32], min_sig: Option<bool>) -> u32 {
    for_variant!(min_sig, V => {
        let sum = V::kept_keys()
            .with_borrow(|keys| Affine::sum(numbers.iter().map(|&number| keys.one(number))));
        keep_key::<V>(sum.affine())
    })
}

#[wasm_bindgen]
pub fn encode_kept_public_key(number: u32, min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => key::<V>(number).compressed())
}

#[wasm_bindgen]
pub fn encode_kept_signature(number: u32, uncompressed: bool, min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => {
        let point = signature::<V>(number);
        if uncompressed { point.uncompressed() } else { point.compressed() }
    })
}

#[wasm_bindgen]
pub fn verify_kept(public_key: u32, message: &[u8], kept: u32, min_sig: Option<bool>) -> bool {
    for_variant!(min_sig, V => agree::<V>(&key::<V>(public_key), &V::hash(message), &signature::<V>(kept)))
}

/// Whether every signature is its key's on its message, in one check: e(c_1 key_1, message_1) e(c_2 key_2, message_2)
/// .. = e(generator, c_1 signature_1 + c_2 signature_2 ..) for random coefficients c of 8 bytes, little-endian, not
/// zero. Messages come one after the other, with their lengths.
#[wasm_bindgen]
pub fn verify_kept_each(
    public_keys: &[u32],
    lengths: &[u32],
    messages: &[u8],
    signatures: &[u32],
    coefficients: &[u8],
    min_sig: Option<bool>,
) -> bool {
    for_variant!(min_sig, V => each_holds::<V>(public_keys, lengths, messages, signatures, coefficients))
}

fn each_holds<V: Variant>(
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
        hashed.push(SignatureSum::<V>::hash(message, V::SIGNATURE_DST));
        rest = after;
    }
    let keys = V::kept_keys().with_borrow(|keys| keys.all(public_keys));
    let signatures = V::kept_signatures().with_borrow(|kept| kept.all(signatures));
    if keys.iter().any(Affine::is_infinity) || signatures.iter().any(Group::is_infinity) {
        return false;
    }
    let weighted: Vec<KeySum<V>> = keys
        .iter()
        .zip(coefficients.chunks(COEFFICIENT_BITS / 8))
        .map(|(key, coefficient)| key.projective().times(coefficient, COEFFICIENT_BITS))
        .collect();
    let signatures = SignatureSum::<V>::all_affine(&signatures);
    let sum = V::Signature::combine(&signatures, coefficients, COEFFICIENT_BITS);
    let mut keys = KeySum::<V>::all_affine(&weighted);
    let mut points = SignatureSum::<V>::all_affine(&hashed);
    keys.push(V::Key::minus_generator());
    points.push(sum.affine());
    product_is_one::<V>(&keys, &points)
}
