//! Many contributions to one round in one check. Their equations e(key, message) = e(generator, signature), each times
//! a random coefficient, add up to one equation of the same form: the small exponents of Bellare, Garay and Rabin, Fast
//! Batch Verification, EUROCRYPT 1998.

use crate::ffi::{Affine, Group};
use crate::kept;
use crate::pairing::{agree, COEFFICIENT_BITS};
use crate::round::{read_signature, Round, RoundOf};
use crate::variant::{either, Either, KeySum, MinPk, MinSig, Variant};
use wasm_bindgen::prelude::wasm_bindgen;

/// In place of its signature's length, a claim may give this and the number of a kept signature. No signature is so
/// long.
const KEPT: u32 = 1 << 31;

/// Claims that were read once: the sum of each one's keys and its decoded signature, for any number of checks.
#[wasm_bindgen]
pub struct ReadClaims(Either<ClaimsOf<MinPk>, ClaimsOf<MinSig>>);

struct ClaimsOf<V: Variant> {
    keys: Vec<V::Key>,
    signatures: Vec<V::Signature>,
    /// Where each of these was among the claims.
    places: Vec<u32>,
    /// The round's hashed message.
    message: V::Signature,
}

#[wasm_bindgen]
impl Round {
    /// Reads claims, and leaves out those that `verify` refuses without a pairing. A claim is three numbers: its first
    /// key, the length of its bits, and the length of its signature, or KEPT and a kept one's number. `bytes` has
    /// these, claim after claim.
    pub fn read_claims(&self, claims: &[u32], bytes: &[u8]) -> ReadClaims {
        ReadClaims(match &self.0 {
            Either::MinPk(round) => Either::MinPk(ClaimsOf::read(round, claims, bytes)),
            Either::MinSig(round) => Either::MinSig(ClaimsOf::read(round, claims, bytes)),
        })
    }
}

#[wasm_bindgen]
impl ReadClaims {
    /// The positions, among all claims, of those that were not left out.
    pub fn places(&self) -> Vec<u32> {
        either!(&self.0, claims => claims.places.clone())
    }

    /// Whether all claims from one up to another hold; there is at least one. A coefficient is 8 bytes, little-endian,
    /// not zero; a single claim needs none.
    pub fn hold(&self, from: usize, to: usize, coefficients: &[u8]) -> bool {
        either!(&self.0, claims => claims.hold(from, to, coefficients))
    }
}

impl<V: Variant> ClaimsOf<V> {
    fn read(round: &RoundOf<V>, claims: &[u32], bytes: &[u8]) -> Self {
        let mut rest = bytes;
        let mut keys: Vec<KeySum<V>> = Vec::with_capacity(claims.len() / 3);
        let mut signatures = Vec::with_capacity(claims.len() / 3);
        let mut places = Vec::with_capacity(claims.len() / 3);
        for (place, claim) in claims.chunks(3).enumerate() {
            let (bits, after) = rest.split_at(claim[1] as usize);
            let kept = claim[2] & KEPT != 0;
            let (signature, after) = after.split_at(if kept { 0 } else { claim[2] as usize });
            rest = after;
            let Some(key) = round.sum(claim[0] as usize, bits) else {
                continue;
            };
            let signature = if kept {
                kept::signature::<V>(claim[2] ^ KEPT)
            } else if let Some(signature) = read_signature(signature) {
                signature
            } else {
                continue;
            };
            if key.is_infinity() || signature.is_infinity() {
                continue;
            }
            keys.push(key);
            signatures.push(signature);
            places.push(place as u32);
        }
        ClaimsOf { keys: KeySum::<V>::all_affine(&keys), signatures, places, message: *round.message() }
    }

    fn hold(&self, from: usize, to: usize, coefficients: &[u8]) -> bool {
        let (keys, signatures) = (&self.keys[from..to], &self.signatures[from..to]);
        if let ([key], [signature]) = (keys, signatures) {
            return agree::<V>(key, &self.message, signature);
        }
        let key = V::Key::combine(keys, coefficients, COEFFICIENT_BITS);
        let signature = V::Signature::combine(signatures, coefficients, COEFFICIENT_BITS);
        agree::<V>(&key.affine(), &self.message, &signature.affine())
    }
}
