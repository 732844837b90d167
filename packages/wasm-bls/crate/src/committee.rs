//! The keys of one of Horn's committees, kept in kernel memory, and the sum of those that a collection's bitfield names
//! (Horn: "Verification time for collections").

use crate::ffi::{secret_key as read_secret_key, Affine, G1Affine, Group, G1};
use crate::generator::times_generator;
use crate::point::{all_uncompressed, read_checked_keys};
use crate::variant::MinPk;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
pub struct Committee {
    keys: Vec<G1Affine>,
    total: G1,
}

#[wasm_bindgen]
impl Committee {
    /// A committee of keys of 96 uncompressed bytes each, one after the other; nothing if one is not a valid key.
    pub fn open(keys: &[u8]) -> Option<Committee> {
        let keys = read_checked_keys(keys)?;
        let total = G1Affine::sum(keys.iter());
        Some(Committee { keys, total })
    }

    /// The sum of the keys whose bits are set: each added to the sum in turn. There is a bit for each key.
    pub fn sum_naive(&self, bits: &[u8]) -> Vec<u8> {
        let mut sum = G1::default();
        for key in self.chosen(bits, true) {
            sum.add_affine(key);
        }
        sum.affine().uncompressed()
    }

    /// The same by affine additions in pairs, which share an inversion.
    pub fn sum_batched(&self, bits: &[u8]) -> Vec<u8> {
        G1Affine::sum(self.chosen(bits, true)).affine().uncompressed()
    }

    /// The same, or the total less the keys whose bits are not set: whichever takes fewer additions.
    pub fn sum_by_subtraction(&self, bits: &[u8]) -> Vec<u8> {
        let present: usize = bits.iter().map(|byte| byte.count_ones() as usize).sum();
        if present <= self.keys.len() / 2 {
            return self.sum_batched(bits);
        }
        let mut sum = G1Affine::sum(self.chosen(bits, false));
        sum.negate();
        sum.add(&self.total);
        sum.affine().uncompressed()
    }

    fn chosen<'a>(&'a self, bits: &'a [u8], wanted: bool) -> impl Iterator<Item = &'a G1Affine> {
        let is_chosen = move |index: usize| (bits[index >> 3] >> (index & 7) & 1 == 1) == wanted;
        let keys = self.keys.iter().enumerate();
        keys.filter_map(move |(index, key)| is_chosen(index).then_some(key))
    }
}

/// The public keys, 96 uncompressed bytes each, of `count` consecutive secret keys from this one on; empty if the
/// secret key is invalid. Each is the one before it plus the generator.
#[wasm_bindgen]
pub fn consecutive_keys(secret_key: &[u8], count: usize) -> Vec<u8> {
    let Some(scalar) = read_secret_key(secret_key) else {
        return Vec::new();
    };
    let mut key = times_generator::<MinPk>(&scalar);
    let mut keys = Vec::with_capacity(count);
    for _ in 0..count {
        keys.push(key);
        key.add_affine(&G1Affine::generator());
    }
    all_uncompressed(&keys)
}
