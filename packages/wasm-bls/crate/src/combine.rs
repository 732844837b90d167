//! Many points of G1 and their scalars at once: what the succinct proof of an aggregated key is made of (src/proof).
//!
//! Points are 96 uncompressed bytes each, one after the other, that were checked before, infinity included; scalars are
//! little-endian, of `bits` bits each, in as many bytes as these fill. An empty answer says that a point is invalid.

use crate::ffi::{Affine, G1Affine, Group, G1};
use crate::point::{all_uncompressed, read_checked};
use wasm_bindgen::prelude::wasm_bindgen;

fn read_points(points: &[u8]) -> Option<Vec<G1Affine>> {
    points.chunks(96).map(|point| read_checked(point).ok()).collect()
}

/// The sum of at least one point, each times its scalar: as many as points, of at least one bit.
#[wasm_bindgen]
pub fn combine_g1(points: &[u8], scalars: &[u8], bits: usize) -> Vec<u8> {
    match read_points(points) {
        Some(points) => G1Affine::combine(&points, scalars, bits).affine().uncompressed(),
        None => Vec::new(),
    }
}

/// The first half of the points, to each of which is added its counterpart in the second half times one scalar.
#[wasm_bindgen]
pub fn fold_g1(points: &[u8], scalar: &[u8], bits: usize) -> Vec<u8> {
    let Some(points) = read_points(points) else {
        return Vec::new();
    };
    let (low, high) = points.split_at(points.len() / 2);
    let sums: Vec<G1> = low
        .iter()
        .zip(high)
        .map(|(low, high)| {
            let mut sum = high.projective().times(scalar, bits);
            sum.add_affine(low);
            sum
        })
        .collect();
    all_uncompressed(&sums)
}

/// A message's point of G1 under a domain (RFC 9380, hash_to_curve).
#[wasm_bindgen]
pub fn hash_to_g1(message: &[u8], dst: &[u8]) -> Vec<u8> {
    G1::hash(message, dst).affine().uncompressed()
}
