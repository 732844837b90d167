//! The door of the kernel. It takes and gives flat bytes; lengths and lists are checked by src/blst-wasm.ts, a stranger's bytes here.
//!
//! Conventions: a point read is its uncompressed bytes, or one byte, the `Fault`; an empty array says that an argument was refused.

mod batch;
mod combine;
mod committee;
mod field;
mod generator;
mod kept;
mod pairing;
mod pixel;
mod point;
mod round;
mod suite;
mod wiping;

pub use batch::ReadClaims;
use blst::*;
pub use committee::Committee;
use generator::times_generator;
pub use pixel::{PixelClaims, PixelKept, PixelParameters, PixelRound};
use point::*;
pub use round::Round;
use suite::{POSSESSION_DST, SIGNATURE_DST};
use wasm_bindgen::prelude::wasm_bindgen;

#[global_allocator]
static HEAP: wiping::WipingAllocator = wiping::WipingAllocator;

const REFUSED: Vec<u8> = Vec::new();

/// KeyGen (section 2.3 of the draft) of at least 32 bytes.
#[wasm_bindgen]
pub fn key_gen(ikm: &[u8]) -> Vec<u8> {
    let mut scalar = blst_scalar::default();
    let mut bytes = vec![0; 32];
    // SAFETY: the input is as long as is said, there is no further key material, and the output has 32 bytes.
    unsafe {
        blst_keygen(&mut scalar, ikm.as_ptr(), ikm.len(), core::ptr::null(), 0);
        blst_bendian_from_scalar(bytes.as_mut_ptr(), &scalar);
    }
    bytes
}

#[wasm_bindgen]
pub fn public_key(secret_key: &[u8]) -> Vec<u8> {
    let Some(scalar) = read_scalar(secret_key) else {
        return REFUSED;
    };
    compressed_g1(&times_generator(&scalar))
}

#[wasm_bindgen]
pub fn sign(secret_key: &[u8], message: &[u8]) -> Vec<u8> {
    match read_scalar(secret_key) {
        Some(scalar) => point::sign(&scalar, message, SIGNATURE_DST),
        None => REFUSED,
    }
}

#[wasm_bindgen]
pub fn prove_possession(secret_key: &[u8]) -> Vec<u8> {
    match read_scalar(secret_key) {
        Some(scalar) => point::sign(&scalar, &public_key(secret_key), POSSESSION_DST),
        None => REFUSED,
    }
}

/// Of a signature of 96 bytes, or of 192 uncompressed ones.
#[wasm_bindgen]
pub fn verify(public_key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    verify_under(public_key, message, signature, SIGNATURE_DST)
}

#[wasm_bindgen]
pub fn verify_possession(public_key: &[u8], proof: &[u8]) -> bool {
    // A proof has one encoding.
    proof.len() == 96 && verify_under(public_key, public_key, proof, POSSESSION_DST)
}

fn verify_under(key: &[u8], message: &[u8], signature: &[u8], dst: &[u8]) -> bool {
    let (Ok(key), Ok(signature)) = (read_key(key), read_any_g2(signature)) else {
        return false;
    };
    pairing::agree(&key, &affine_g2(&hash_to_g2(message, dst)), &signature)
}

/// FastAggregateVerify (section 3.3.4 of the draft) over keys of 48 bytes, one after the other.
#[wasm_bindgen]
pub fn fast_aggregate_verify(public_keys: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let (Some(key), Ok(signature)) = (sum_keys(public_keys), read_g2(signature)) else {
        return false;
    };
    pairing::agree(&affine_g1(&key), &hash_message(message), &signature)
}

#[wasm_bindgen]
pub fn aggregate_public_keys(public_keys: &[u8]) -> Vec<u8> {
    sum_keys(public_keys).map_or(REFUSED, |sum| compressed_g1(&sum))
}

#[wasm_bindgen]
pub fn aggregate_signatures(signatures: &[u8]) -> Vec<u8> {
    let mut sum = blst_p2::default();
    for signature in signatures.chunks(96) {
        match read_g2(signature) {
            Ok(point) => add_g2(&mut sum, &point),
            Err(_) => return REFUSED,
        }
    }
    compressed_g2(&sum)
}

fn sum_keys(keys: &[u8]) -> Option<blst_p1> {
    let mut sum = blst_p1::default();
    for key in keys.chunks(48) {
        add_g1(&mut sum, &read_key(key).ok()?);
    }
    Some(sum)
}

#[wasm_bindgen]
pub fn decode_public_key(bytes: &[u8]) -> Vec<u8> {
    point_or_fault(read_g1(bytes).map(|point| uncompressed_g1(&point)))
}

#[wasm_bindgen]
pub fn validate_public_key(bytes: &[u8]) -> Vec<u8> {
    point_or_fault(read_key(bytes).map(|point| uncompressed_g1(&point)))
}

/// Of 96 bytes, or of 192 uncompressed ones, which are checked as well.
#[wasm_bindgen]
pub fn decode_signature(bytes: &[u8]) -> Vec<u8> {
    point_or_fault(read_any_g2(bytes).map(|point| uncompressed_g2_affine(&point)))
}

fn point_or_fault(point: Result<Vec<u8>, Fault>) -> Vec<u8> {
    point.unwrap_or_else(|fault| vec![fault as u8])
}

/// 96 compressed bytes of 192 checked ones.
#[wasm_bindgen]
pub fn encode_signature(point: &[u8]) -> Vec<u8> {
    read_checked_g2(point).map_or(REFUSED, |point| compressed_g2_affine(&point))
}

/// The sum of two checked points of 192 bytes.
#[wasm_bindgen]
pub fn add_signatures(a: &[u8], b: &[u8]) -> Vec<u8> {
    let (Ok(a), Ok(b)) = (read_checked_g2(a), read_checked_g2(b)) else {
        return REFUSED;
    };
    let mut sum = projective_g2(&a);
    add_g2(&mut sum, &b);
    uncompressed_g2(&sum)
}

#[wasm_bindgen]
pub fn hash_to_curve(message: &[u8], dst: &[u8]) -> Vec<u8> {
    uncompressed_g2(&hash_to_g2(message, dst))
}
