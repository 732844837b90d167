//! One message over one registry, kept in kernel memory: the public data Pub of Handel v1.03, section 2.1.

use crate::kept;
use crate::pairing::agree;
use crate::point::{
    add_g1, affine_g1, hash_message, read_checked_g2, read_checked_key, read_g2, sum_g1,
};
use blst::*;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
pub struct Round {
    keys: Vec<blst_p1_affine>,
    /// `totals[i]` is the sum of the keys before i, so that a nearly full run of keys costs its absentees.
    totals: Vec<blst_p1_affine>,
    /// The hashed message.
    message: blst_p2_affine,
}

#[wasm_bindgen]
impl Round {
    /// A round over keys of 96 uncompressed bytes each, one after the other; none if one is not a valid key.
    pub fn open(keys: &[u8], message: &[u8]) -> Option<Round> {
        Round::over(keys, hash_message(message))
    }

    /// Whether the signature (96 bytes of a stranger's, or 192 checked ones) is the sum of the claimed keys' signatures.
    pub fn verify(&self, first: u32, bits: &[u8], signature: &[u8]) -> bool {
        self.sum(first as usize, bits).is_some_and(|key| {
            read_signature(signature)
                .is_some_and(|signature| agree(&affine_g1(&key), &self.message, &signature))
        })
    }

    /// As verify, for a kept signature.
    pub fn verify_kept(&self, first: u32, bits: &[u8], number: u32) -> bool {
        self.sum(first as usize, bits)
            .is_some_and(|key| agree(&affine_g1(&key), &self.message, &kept::signature(number)))
    }
}

impl Round {
    /// As open, for a message that is a point already.
    pub(crate) fn over(keys: &[u8], message: blst_p2_affine) -> Option<Round> {
        let keys = keys
            .chunks(96)
            .map(|key| read_checked_key(key).ok())
            .collect::<Option<Vec<_>>>()?;
        let totals = running_totals(&keys);
        Some(Round {
            keys,
            totals,
            message,
        })
    }

    /// The hashed message.
    pub(crate) fn message(&self) -> &blst_p2_affine {
        &self.message
    }

    /// The sum of the keys that the bits claim; none if they claim nobody, or a key beyond the registry.
    pub(crate) fn sum(&self, first: usize, bits: &[u8]) -> Option<blst_p1> {
        let low = bits.iter().position(|&byte| byte != 0)?;
        let high = bits.iter().rposition(|&byte| byte != 0)?;
        // In 64 bits: a pointer's 32 would wrap for a set of half a gigabyte, and claim other keys.
        let end = first as u64 + high as u64 * 8 + 8 - bits[high].leading_zeros() as u64;
        if end > self.keys.len() as u64 {
            return None;
        }
        let from = first + low * 8 + bits[low].trailing_zeros() as usize;
        let to = end as usize;
        let present: usize = bits.iter().map(|byte| byte.count_ones() as usize).sum();
        let absent = to - from - present;
        let wanted = absent >= present;
        let is_wanted = |index: &usize| {
            let bit = index - first;
            (bits[bit >> 3] >> (bit & 7) & 1 == 1) == wanted
        };
        // Batched affine addition: measured at 1.2 us a key for 2048 keys against 2.05 us one by one, and no slower for a few.
        let mut sum = sum_g1((from..to).filter(is_wanted).map(|index| &self.keys[index]));
        if !wanted {
            add_g1(&mut sum, &self.totals[from]);
            // SAFETY: references to whole values, which the library reads or writes once.
            unsafe { blst_p1_cneg(&mut sum, true) };
            add_g1(&mut sum, &self.totals[to]);
        }
        Some(sum)
    }
}

/// A claim's signature: 96 bytes of a stranger's, or 192 checked ones.
pub fn read_signature(bytes: &[u8]) -> Option<blst_p2_affine> {
    match bytes.len() {
        96 => read_g2(bytes),
        _ => read_checked_g2(bytes),
    }
    .ok()
}

/// The sums of the first 0, 1, .. n keys; made affine together, which shares the inversion.
fn running_totals(keys: &[blst_p1_affine]) -> Vec<blst_p1_affine> {
    let mut sum = blst_p1::default();
    let mut totals = Vec::with_capacity(keys.len() + 1);
    totals.push(sum);
    for key in keys {
        add_g1(&mut sum, key);
        totals.push(sum);
    }
    p1_affines::from(totals.as_slice()).as_slice().to_vec()
}
