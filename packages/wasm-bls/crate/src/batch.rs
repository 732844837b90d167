//! Many contributions to one round in one check: their equations e(key, message) = e(generator, signature), each times a random
//! coefficient, add up to one equation of the same form. Bellare, Garay, Rabin: Fast Batch Verification, EUROCRYPT 1998 (small exponents).

use crate::point::affine_g2;
use crate::round::Round;
use blst::*;
use wasm_bindgen::prelude::wasm_bindgen;

const COEFFICIENT_BITS: usize = 64;

#[wasm_bindgen]
impl Round {
    /// Whether all of at least one claim hold. A claim is three numbers: its first key, the bytes of its bits and of its signature;
    /// `bytes` has these, claim after claim. A coefficient is 8 bytes, little-endian, not zero.
    pub fn verify_batch(&self, claims: &[u32], bytes: &[u8], coefficients: &[u8]) -> bool {
        let Some((keys, signatures)) = self.read_claims(claims, bytes) else {
            return false;
        };
        let keys = p1_affines::from(keys.as_slice());
        let key = keys.mult(coefficients, COEFFICIENT_BITS);
        let signature = signatures.as_slice().mult(coefficients, COEFFICIENT_BITS);
        self.holds(&key, &affine_g2(&signature))
    }

    /// The claims' sums of keys and signatures; none if one cannot be had or is infinity, which `verify` refuses too.
    fn read_claims(
        &self,
        claims: &[u32],
        bytes: &[u8],
    ) -> Option<(Vec<blst_p1>, Vec<blst_p2_affine>)> {
        let mut rest = bytes;
        let mut keys = Vec::with_capacity(claims.len() / 3);
        let mut signatures = Vec::with_capacity(claims.len() / 3);
        for claim in claims.chunks(3) {
            let (bits, after) = rest.split_at(claim[1] as usize);
            let (signature, after) = after.split_at(claim[2] as usize);
            rest = after;
            let (key, signature) = self.read(claim[0], bits, signature)?;
            if unsafe { blst_p1_is_inf(&key) || blst_p2_affine_is_inf(&signature) } {
                return None;
            }
            keys.push(key);
            signatures.push(signature);
        }
        Some((keys, signatures))
    }
}
