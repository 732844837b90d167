//! The keys of one of Horn's committees, kept in kernel memory, and the sum of those that a collection's bitfield names
//! (Horn: "Verification time for collections").

use crate::generator::times_generator;
use crate::point::{add_g1, affine_g1, read_checked_key, read_scalar, sum_g1, uncompressed_g1};
use blst::*;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
pub struct Committee {
    keys: Vec<blst_p1_affine>,
    total: blst_p1,
}

#[wasm_bindgen]
impl Committee {
    /// A committee of keys of 96 uncompressed bytes each, one after the other; none if one is not a valid key.
    pub fn open(keys: &[u8]) -> Option<Committee> {
        let keys = keys
            .chunks(96)
            .map(|key| read_checked_key(key).ok())
            .collect::<Option<Vec<_>>>()?;
        let total = sum_g1(keys.iter());
        Some(Committee { keys, total })
    }

    /// The sum of the keys whose bits are set: each added to the sum in turn. There is a bit for each key.
    pub fn sum_naive(&self, bits: &[u8]) -> Vec<u8> {
        let mut sum = blst_p1::default();
        for key in self.chosen(bits, true) {
            add_g1(&mut sum, key);
        }
        uncompressed_g1(&affine_g1(&sum))
    }

    /// The same by affine additions in pairs, which share an inversion.
    pub fn sum_batched(&self, bits: &[u8]) -> Vec<u8> {
        uncompressed_g1(&affine_g1(&sum_g1(self.chosen(bits, true))))
    }

    /// The same, or the total less the keys whose bits are not set: whichever takes fewer additions.
    pub fn sum_by_subtraction(&self, bits: &[u8]) -> Vec<u8> {
        let present: usize = bits.iter().map(|byte| byte.count_ones() as usize).sum();
        if present <= self.keys.len() / 2 {
            return self.sum_batched(bits);
        }
        let mut sum = sum_g1(self.chosen(bits, false));
        // SAFETY: the library reads both operands before it writes, so the sum may be one of them.
        unsafe {
            blst_p1_cneg(&mut sum, true);
            let augend: *const blst_p1 = &sum;
            blst_p1_add_or_double(&mut sum, augend, &self.total);
        }
        uncompressed_g1(&affine_g1(&sum))
    }

    fn chosen<'a>(
        &'a self,
        bits: &'a [u8],
        wanted: bool,
    ) -> impl Iterator<Item = &'a blst_p1_affine> {
        let is_chosen = move |index: usize| (bits[index >> 3] >> (index & 7) & 1 == 1) == wanted;
        let keys = self.keys.iter().enumerate();
        keys.filter_map(move |(index, key)| is_chosen(index).then_some(key))
    }
}

/// The public keys, 96 uncompressed bytes each, of so many consecutive secret keys from this one on; empty if it is none. Each is the
/// one before it and the generator.
#[wasm_bindgen]
pub fn consecutive_keys(secret_key: &[u8], count: usize) -> Vec<u8> {
    let Some(scalar) = read_scalar(secret_key) else {
        return Vec::new();
    };
    let mut key = times_generator(&scalar);
    let mut keys = Vec::with_capacity(count);
    for _ in 0..count {
        keys.push(key);
        // SAFETY: a constant of the library, written by nobody.
        add_g1(&mut key, unsafe { &BLS12_381_G1 });
    }
    p1_affines::from(keys.as_slice())
        .as_slice()
        .iter()
        .flat_map(uncompressed_g1)
        .collect()
}
