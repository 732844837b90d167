//! What the kernel exports. It takes and returns flat bytes: src/blst-wasm.ts checks lengths and lists, the kernel
//! checks untrusted points.
//!
//! Conventions: a point that is read comes back as its uncompressed bytes, or as one byte, its `Fault`; an empty array
//! says that an argument was refused.

mod batch;
mod combine;
mod committee;
mod ffi;
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
pub use committee::Committee;
use ffi::{secret_key as read_secret_key, Affine, G1Affine, G2Affine, Group, G1, G2};
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
    ffi::key_gen(ikm)
}

#[wasm_bindgen]
pub fn public_key(secret_key: &[u8]) -> Vec<u8> {
    match read_secret_key(secret_key) {
        Some(scalar) => times_generator(&scalar).affine().compressed(),
        None => REFUSED,
    }
}

#[wasm_bindgen]
pub fn sign(secret_key: &[u8], message: &[u8]) -> Vec<u8> {
    sign_under(secret_key, message, SIGNATURE_DST)
}

#[wasm_bindgen]
pub fn prove_possession(secret_key: &[u8]) -> Vec<u8> {
    sign_under(secret_key, &public_key(secret_key), POSSESSION_DST)
}

/// CoreSign (section 2.6 of the draft) under a domain.
fn sign_under(secret_key: &[u8], message: &[u8], domain: &[u8]) -> Vec<u8> {
    match read_secret_key(secret_key) {
        Some(scalar) => G2::hash(message, domain).signed(&scalar).affine().compressed(),
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

fn verify_under(key: &[u8], message: &[u8], signature: &[u8], domain: &[u8]) -> bool {
    let (Ok(key), Ok(signature)) = (read_key(key), read_any(signature)) else {
        return false;
    };
    pairing::agree(&key, &G2::hash(message, domain).affine(), &signature)
}

/// FastAggregateVerify (section 3.3.4 of the draft) over keys of 48 bytes, one after the other.
#[wasm_bindgen]
pub fn fast_aggregate_verify(public_keys: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let (Some(key), Ok(signature)) = (sum_keys(public_keys), read(signature)) else {
        return false;
    };
    pairing::agree(&key.affine(), &hash_message(message), &signature)
}

#[wasm_bindgen]
pub fn aggregate_public_keys(public_keys: &[u8]) -> Vec<u8> {
    sum_keys(public_keys).map_or(REFUSED, |sum| sum.affine().compressed())
}

#[wasm_bindgen]
pub fn aggregate_signatures(signatures: &[u8]) -> Vec<u8> {
    let mut sum = G2::default();
    for signature in signatures.chunks(96) {
        match read(signature) {
            Ok(point) => sum.add_affine(&point),
            Err(_) => return REFUSED,
        }
    }
    sum.affine().compressed()
}

/// The sum of public keys of 48 bytes, one after the other; nothing if one is not valid.
fn sum_keys(keys: &[u8]) -> Option<G1> {
    let mut sum = G1::default();
    for key in keys.chunks(48) {
        sum.add_affine(&read_key(key).ok()?);
    }
    Some(sum)
}

#[wasm_bindgen]
pub fn decode_public_key(bytes: &[u8]) -> Vec<u8> {
    uncompressed_or_fault(read::<G1Affine>(bytes))
}

#[wasm_bindgen]
pub fn validate_public_key(bytes: &[u8]) -> Vec<u8> {
    uncompressed_or_fault(read_key::<G1Affine>(bytes))
}

/// Of 96 bytes, or of 192 uncompressed ones, which are checked as well.
#[wasm_bindgen]
pub fn decode_signature(bytes: &[u8]) -> Vec<u8> {
    uncompressed_or_fault(read_any::<G2Affine>(bytes))
}

fn uncompressed_or_fault<P: Affine>(point: Result<P, Fault>) -> Vec<u8> {
    point.map_or_else(|fault| vec![fault as u8], |point| point.uncompressed())
}

/// 96 compressed bytes of 192 checked ones.
#[wasm_bindgen]
pub fn encode_signature(point: &[u8]) -> Vec<u8> {
    read_checked::<G2Affine>(point).map_or(REFUSED, |point| point.compressed())
}

/// The sum of two checked points of 192 bytes.
#[wasm_bindgen]
pub fn add_signatures(a: &[u8], b: &[u8]) -> Vec<u8> {
    let (Ok(a), Ok(b)) = (read_checked::<G2Affine>(a), read_checked(b)) else {
        return REFUSED;
    };
    let mut sum = a.projective();
    sum.add_affine(&b);
    sum.affine().uncompressed()
}

#[wasm_bindgen]
pub fn hash_to_curve(message: &[u8], dst: &[u8]) -> Vec<u8> {
    G2::hash(message, dst).affine().uncompressed()
}
