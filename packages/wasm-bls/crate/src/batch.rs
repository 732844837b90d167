//! Many contributions to one round in one check: their equations e(key, message) = e(generator, signature), each times a random
//! coefficient, add up to one equation of the same form. Bellare, Garay, Rabin: Fast Batch Verification, EUROCRYPT 1998 (small exponents).

use crate::kept;
use crate::pairing::agree;
use crate::point::{affine_g1, affine_g2};
use crate::round::{read_signature, Round};
use blst::*;
use wasm_bindgen::prelude::wasm_bindgen;

pub const COEFFICIENT_BITS: usize = 64;
/// What a claim gives for its signature's bytes if that is a kept one: this and its number. No signature has so many bytes.
const KEPT: u32 = 1 << 31;

/// Claims that were read once: the sum of each one's keys and its decoded signature, kept for any number of checks.
#[wasm_bindgen]
pub struct ReadClaims {
    keys: Vec<blst_p1_affine>,
    signatures: Vec<blst_p2_affine>,
    /// Where each of these was among the claims.
    places: Vec<u32>,
    /// The round's hashed message.
    message: blst_p2_affine,
}

#[wasm_bindgen]
impl Round {
    /// Reads claims, and leaves out those that `verify` refuses without a pairing. A claim is three numbers: its first key, the bytes of
    /// its bits and of its signature, or KEPT and a kept one's number; `bytes` has these, claim after claim.
    pub fn read_claims(&self, claims: &[u32], bytes: &[u8]) -> ReadClaims {
        let mut rest = bytes;
        let mut keys = Vec::with_capacity(claims.len() / 3);
        let mut signatures = Vec::with_capacity(claims.len() / 3);
        let mut places = Vec::with_capacity(claims.len() / 3);
        for (place, claim) in claims.chunks(3).enumerate() {
            let (bits, after) = rest.split_at(claim[1] as usize);
            let kept = claim[2] & KEPT != 0;
            let (signature, after) = after.split_at(if kept { 0 } else { claim[2] as usize });
            rest = after;
            let Some(key) = self.sum(claim[0] as usize, bits) else {
                continue;
            };
            let signature = if kept {
                kept::signature(claim[2] ^ KEPT)
            } else if let Some(signature) = read_signature(signature) {
                signature
            } else {
                continue;
            };
            // SAFETY: references to whole values, which the library reads or writes once.
            if unsafe { blst_p1_is_inf(&key) || blst_p2_affine_is_inf(&signature) } {
                continue;
            }
            keys.push(key);
            signatures.push(signature);
            places.push(place as u32);
        }
        let keys = match keys.len() {
            0 => Vec::new(),
            1 => vec![affine_g1(&keys[0])],
            // Made affine together, which shares the inversion.
            _ => p1_affines::from(keys.as_slice()).as_slice().to_vec(),
        };
        ReadClaims {
            keys,
            signatures,
            places,
            message: *self.message(),
        }
    }
}

#[wasm_bindgen]
impl ReadClaims {
    /// The positions, among all claims, of those that were kept.
    pub fn places(&self) -> Vec<u32> {
        self.places.clone()
    }

    /// Whether all kept claims from one up to another hold, at least one. A coefficient is 8 bytes, little-endian, not zero; a single
    /// claim has no need of one.
    pub fn hold(&self, from: usize, to: usize, coefficients: &[u8]) -> bool {
        let (keys, signatures) = (&self.keys[from..to], &self.signatures[from..to]);
        if let ([key], [signature]) = (keys, signatures) {
            return agree(key, &self.message, signature);
        }
        let key = keys.mult(coefficients, COEFFICIENT_BITS);
        let signature = signatures.mult(coefficients, COEFFICIENT_BITS);
        agree(&affine_g1(&key), &self.message, &affine_g2(&signature))
    }
}
