//! Many points of G1 and their scalars at once: what the succinct proof of an aggregated key is made of (src/proof).
//!
//! Points are 96 uncompressed bytes each, one after the other, that were checked before, infinity included; scalars are little-endian,
//! `bits` of each counted, in the bytes that these fill. An empty answer says that a point is none.

use crate::point::{add_g1, affine_g1, read_checked_g1, times_g1, uncompressed_g1};
use blst::*;
use wasm_bindgen::prelude::wasm_bindgen;

fn read_points(points: &[u8]) -> Option<Vec<blst_p1_affine>> {
    points
        .chunks(96)
        .map(|point| read_checked_g1(point).ok())
        .collect()
}

/// The sum of at least one point, each times its scalar: as many as points, of at least one bit.
#[wasm_bindgen]
pub fn combine_g1(points: &[u8], scalars: &[u8], bits: usize) -> Vec<u8> {
    match read_points(points) {
        Some(points) => uncompressed_g1(&affine_g1(&points.as_slice().mult(scalars, bits))),
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
    let sums: Vec<blst_p1> = low
        .iter()
        .zip(high)
        .map(|(low, high)| {
            let mut sum = times_g1(high, scalar, bits);
            add_g1(&mut sum, low);
            sum
        })
        .collect();
    // Made affine together, which shares the inversion.
    p1_affines::from(sums.as_slice())
        .as_slice()
        .iter()
        .flat_map(uncompressed_g1)
        .collect()
}

/// A message's point of G1 under a domain (RFC 9380, hash_to_curve).
#[wasm_bindgen]
pub fn hash_to_g1(message: &[u8], dst: &[u8]) -> Vec<u8> {
    let mut point = blst_p1::default();
    // SAFETY: message and domain are as long as is said, and there is no augmentation.
    unsafe {
        blst_hash_to_g1(
            &mut point,
            message.as_ptr(),
            message.len(),
            dst.as_ptr(),
            dst.len(),
            core::ptr::null(),
            0,
        )
    };
    uncompressed_g1(&affine_g1(&point))
}
