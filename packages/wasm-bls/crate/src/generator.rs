//! Multiples of G1's generator, of which there is a table: a public key then takes 64 additions, and no doubling.

use crate::point::add_g1;
use blst::*;
use std::cell::OnceCell;

/// Digits of 4 bits in a scalar under 2^255.
const DIGITS: usize = 64;
/// Multiples kept for a digit: it is between -8 and 8.
const MULTIPLES: usize = 8;

thread_local! {
    /// For each digit, 1 to 8 times the generator, times 16 to the digit's place.
    static TABLE: OnceCell<Vec<blst_p1_affine>> = const { OnceCell::new() };
}

fn table() -> Vec<blst_p1_affine> {
    let mut multiples = Vec::with_capacity(DIGITS * MULTIPLES);
    // SAFETY: a constant of the library, written by nobody.
    let mut base = unsafe { *blst_p1_generator() };
    for _ in 0..DIGITS {
        let mut multiple = base;
        for step in 0..MULTIPLES {
            if step > 0 {
                let augend: *const blst_p1 = &multiple;
                // SAFETY: the library reads both operands before it writes, so the sum may be one of them.
                unsafe { blst_p1_add_or_double(&mut multiple, augend, &base) };
            }
            multiples.push(multiple);
        }
        // SAFETY: two whole values of their own, the one read and the other written.
        unsafe { blst_p1_double(&mut base, &multiple) };
    }
    // Made affine together, which shares the inversion.
    p1_affines::from(multiples.as_slice()).as_slice().to_vec()
}

/// The generator times a scalar under r. No branch and no address depends on the scalar.
pub fn times_generator(scalar: &blst_scalar) -> blst_p1 {
    TABLE.with(|table_once| {
        let table = table_once.get_or_init(table);
        let mut sum = blst_p1::default();
        let mut carry = 0;
        for (place, row) in table.chunks(MULTIPLES).enumerate() {
            let digit = (scalar.b[place / 2] >> (4 * (place & 1)) & 15) as u64 + carry;
            // 9 to 16 are -7 to 0, and one more in the next place.
            carry = (digit + 7) >> 4;
            let size = (digit ^ carry.wrapping_neg()).wrapping_add(carry * 17);
            let mut addend = chosen(row, size);
            let y: *const blst_fp = &addend.y;
            // SAFETY: an element of the point's own, which the library reads before it writes.
            unsafe { blst_fp_cneg(&mut addend.y, y, carry == 1) };
            add_g1(&mut sum, &addend);
        }
        sum
    })
}

/// `row[size - 1]`, or infinity for 0, by looking at them all.
fn chosen(row: &[blst_p1_affine], size: u64) -> blst_p1_affine {
    let mut point = blst_p1_affine::default();
    for (candidate, entry) in (1u64..).zip(row) {
        let mask = ((candidate ^ size).wrapping_sub(1) >> 63).wrapping_neg();
        for i in 0..6 {
            point.x.l[i] |= entry.x.l[i] & mask;
            point.y.l[i] |= entry.y.l[i] & mask;
        }
    }
    point
}
