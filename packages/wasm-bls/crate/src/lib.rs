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
mod shelf;
mod variant;
mod wiping;

pub use batch::ReadClaims;
pub use committee::Committee;
use ffi::{secret_key as read_secret_key, Affine, Group};
use generator::times_generator;
pub use pixel::{PixelClaims, PixelKept, PixelParameters, PixelRound};
use point::*;
pub use round::Round;
use variant::{for_variant, KeySum, SignatureSum, Variant};
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
pub fn public_key(secret_key: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => match read_secret_key(secret_key) {
        Some(scalar) => times_generator::<V>(&scalar).affine().compressed(),
        None => REFUSED,
    })
}

#[wasm_bindgen]
pub fn sign(secret_key: &[u8], message: &[u8], min_sig: Option<bool>, domain: Option<Vec<u8>>) -> Vec<u8> {
    for_variant!(min_sig, V => sign_under::<V>(secret_key, message, domain.as_deref().unwrap_or(V::SIGNATURE_DST)))
}

/// A signature on a message that was hashed by the caller, whose uncompressed point is checked.
#[wasm_bindgen]
pub fn sign_point(secret_key: &[u8], point: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => match (read_secret_key(secret_key), read_any::<<V as Variant>::Signature>(point)) {
        (Some(scalar), Ok(point)) => point.projective().signed(&scalar).affine().compressed(),
        _ => REFUSED,
    })
}

#[wasm_bindgen]
pub fn prove_possession(secret_key: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    let key = public_key(secret_key, min_sig);
    for_variant!(min_sig, V => sign_under::<V>(secret_key, &key, V::POSSESSION_DST))
}

/// CoreSign (section 2.6 of the draft) under a domain.
fn sign_under<V: Variant>(secret_key: &[u8], message: &[u8], domain: &[u8]) -> Vec<u8> {
    match read_secret_key(secret_key) {
        Some(scalar) => SignatureSum::<V>::hash(message, domain).signed(&scalar).affine().compressed(),
        None => REFUSED,
    }
}

/// Of a signature, compressed or not.
#[wasm_bindgen]
pub fn verify(
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
    min_sig: Option<bool>,
    domain: Option<Vec<u8>>,
) -> bool {
    for_variant!(min_sig, V => {
        let domain = domain.as_deref().unwrap_or(V::SIGNATURE_DST);
        verify_under::<V>(public_key, message, signature, domain)
    })
}

/// CoreAggregateVerify (section 2.9 of the draft): a compressed key for each message; keys, and messages with their
/// lengths, come one after the other.
#[wasm_bindgen]
pub fn aggregate_verify(
    public_keys: &[u8],
    lengths: &[u32],
    messages: &[u8],
    signature: &[u8],
    min_sig: Option<bool>,
    domain: Option<Vec<u8>>,
) -> bool {
    for_variant!(min_sig, V => {
        let domain = domain.as_deref().unwrap_or(V::SIGNATURE_DST);
        let mut rest = messages;
        let mut hashed = Vec::with_capacity(lengths.len());
        for &length in lengths {
            let (message, after) = rest.split_at(length as usize);
            hashed.push(SignatureSum::<V>::hash(message, domain));
            rest = after;
        }
        let keys = public_keys.chunks(<V as Variant>::Key::COMPRESSED_BYTES).map(read_key).collect();
        signs_all::<V>(keys, SignatureSum::<V>::all_affine(&hashed), read(signature))
    })
}

/// As `aggregate_verify`, of messages that were hashed by the caller. All points are uncompressed, and checked.
#[wasm_bindgen]
pub fn verify_points(public_keys: &[u8], points: &[u8], signature: &[u8], min_sig: Option<bool>) -> bool {
    for_variant!(min_sig, V => {
        let keys = public_keys.chunks(2 * <V as Variant>::Key::COMPRESSED_BYTES).map(|key| finite(read_any(key)?));
        let points = points.chunks(2 * <V as Variant>::Signature::COMPRESSED_BYTES).map(|point| finite(read_any(point)?));
        let (keys, points) = (keys.collect(), points.collect::<Result<Vec<_>, _>>());
        points.is_ok_and(|points| signs_all::<V>(keys, points, read_any(signature)))
    })
}

/// Whether a signature is the sum of the keys' signatures on the points, of which there are as many.
fn signs_all<V: Variant>(
    keys: Result<Vec<V::Key>, Fault>,
    mut points: Vec<V::Signature>,
    signature: Result<V::Signature, Fault>,
) -> bool {
    let (Ok(mut keys), Ok(signature)) = (keys, signature.and_then(finite)) else {
        return false;
    };
    if keys.is_empty() || keys.len() != points.len() {
        return false;
    }
    keys.push(V::Key::minus_generator());
    points.push(signature);
    pairing::product_is_one::<V>(&keys, &points)
}

#[wasm_bindgen]
pub fn verify_possession(public_key: &[u8], proof: &[u8], min_sig: Option<bool>) -> bool {
    // A proof has one encoding.
    for_variant!(min_sig, V => proof.len() == <V as Variant>::Signature::COMPRESSED_BYTES
        && verify_under::<V>(public_key, public_key, proof, V::POSSESSION_DST))
}

fn verify_under<V: Variant>(key: &[u8], message: &[u8], signature: &[u8], domain: &[u8]) -> bool {
    let (Ok(key), Ok(signature)) = (read_key(key), read_any(signature)) else {
        return false;
    };
    pairing::agree::<V>(&key, &SignatureSum::<V>::hash(message, domain).affine(), &signature)
}

/// FastAggregateVerify (section 3.3.4 of the draft) over compressed keys, one after the other.
#[wasm_bindgen]
pub fn fast_aggregate_verify(public_keys: &[u8], message: &[u8], signature: &[u8], min_sig: Option<bool>) -> bool {
    for_variant!(min_sig, V => match (sum_keys::<V>(public_keys), read(signature)) {
        (Some(key), Ok(signature)) => pairing::agree::<V>(&key.affine(), &V::hash(message), &signature),
        _ => false,
    })
}

#[wasm_bindgen]
pub fn aggregate_public_keys(public_keys: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => sum_keys::<V>(public_keys).map_or(REFUSED, |sum| sum.affine().compressed()))
}

#[wasm_bindgen]
pub fn aggregate_signatures(signatures: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => {
        let mut sum = SignatureSum::<V>::default();
        for signature in signatures.chunks(<V as Variant>::Signature::COMPRESSED_BYTES) {
            match read(signature) {
                Ok(point) => sum.add_affine(&point),
                Err(_) => return REFUSED,
            }
        }
        sum.affine().compressed()
    })
}

/// The sum of compressed public keys, one after the other; nothing if one is not valid.
fn sum_keys<V: Variant>(keys: &[u8]) -> Option<KeySum<V>> {
    let mut sum = KeySum::<V>::default();
    for key in keys.chunks(V::Key::COMPRESSED_BYTES) {
        sum.add_affine(&read_key(key).ok()?);
    }
    Some(sum)
}

#[wasm_bindgen]
pub fn decode_public_key(bytes: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => uncompressed_or_fault(read::<<V as Variant>::Key>(bytes)))
}

#[wasm_bindgen]
pub fn validate_public_key(bytes: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => uncompressed_or_fault(read_key::<<V as Variant>::Key>(bytes)))
}

/// Of a signature, compressed or not; both are checked.
#[wasm_bindgen]
pub fn decode_signature(bytes: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => uncompressed_or_fault(read_any::<<V as Variant>::Signature>(bytes)))
}

fn uncompressed_or_fault<P: Affine>(point: Result<P, Fault>) -> Vec<u8> {
    point.map_or_else(|fault| vec![fault as u8], |point| point.uncompressed())
}

/// The compressed form of an uncompressed point that was checked.
#[wasm_bindgen]
pub fn encode_signature(point: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => {
        read_checked::<<V as Variant>::Signature>(point).map_or(REFUSED, |point| point.compressed())
    })
}

/// The sum of two uncompressed points that were checked.
#[wasm_bindgen]
pub fn add_signatures(a: &[u8], b: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => {
        let (Ok(a), Ok(b)) = (read_checked::<<V as Variant>::Signature>(a), read_checked(b)) else {
            return REFUSED;
        };
        let mut sum = a.projective();
        sum.add_affine(&b);
        sum.affine().uncompressed()
    })
}

#[wasm_bindgen]
pub fn hash_to_curve(message: &[u8], dst: &[u8], min_sig: Option<bool>) -> Vec<u8> {
    for_variant!(min_sig, V => SignatureSum::<V>::hash(message, dst).affine().uncompressed())
}
