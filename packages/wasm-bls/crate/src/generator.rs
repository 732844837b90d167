//! Multiples of the keys' generator from a table: a public key then takes 64 additions, and no doubling.

use crate::ffi::{blst_scalar, Affine, Field, Group};
use crate::variant::{KeySum, Variant};

/// Digits of 4 bits in a scalar under 2^255.
const DIGITS: usize = 64;
/// Multiples kept for a digit: it is between -8 and 8.
const MULTIPLES: usize = 8;

/// For each digit, 1 to 8 times the generator, times 16 to the digit's place.
fn table<P: Group>() -> Vec<P::Affine> {
    let mut multiples = Vec::with_capacity(DIGITS * MULTIPLES);
    let mut base = P::generator();
    for _ in 0..DIGITS {
        let mut multiple = base;
        for step in 0..MULTIPLES {
            if step > 0 {
                multiple.add(&base);
            }
            multiples.push(multiple);
        }
        base = multiple;
        base.double();
    }
    P::all_affine(&multiples)
}

/// The generator times a scalar under r. No branch and no address depends on the scalar.
pub fn times_generator<V: Variant>(scalar: &blst_scalar) -> KeySum<V> {
    V::multiples().with(|multiples| {
        let table = multiples.get_or_init(table::<KeySum<V>>);
        let mut sum = KeySum::<V>::default();
        let mut carry = 0;
        for (place, row) in table.chunks(MULTIPLES).enumerate() {
            let digit = (scalar.b[place / 2] >> (4 * (place & 1)) & 15) as u64 + carry;
            // 9 to 16 are -7 to 0, and one more in the next place.
            carry = (digit + 7) >> 4;
            let size = (digit ^ carry.wrapping_neg()).wrapping_add(carry * 17);
            sum.add_affine(&chosen(row, size, carry == 1));
        }
        sum
    })
}

/// `row[size - 1]`, or infinity for 0, found by looking at them all; its negative if `negative`.
fn chosen<P: Affine>(row: &[P], size: u64, negative: bool) -> P {
    let (mut x, mut y) = Default::default();
    for (candidate, entry) in (1u64..).zip(row) {
        let mask = ((candidate ^ size).wrapping_sub(1) >> 63).wrapping_neg();
        let [entry_x, entry_y] = entry.coordinates();
        Field::or_masked(&mut x, entry_x, mask);
        Field::or_masked(&mut y, entry_y, mask);
    }
    P::of_coordinates(x, y.negated_if(negative))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::secret_key;
    use crate::variant::{MinPk, MinSig};

    fn is_what_the_library_multiplies<V: Variant>() {
        let r_minus_one = "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000";
        let r_minus_one = (0..32).map(|i| u8::from_str_radix(&r_minus_one[2 * i..2 * i + 2], 16).unwrap()).collect();
        let one = [[0; 31].as_slice(), &[1]].concat();
        // Digits of 8 and of 9 are the last positive and the first negative ones.
        for bytes in [one, vec![0x38; 32], vec![0x49; 32], r_minus_one] {
            let scalar = secret_key(&bytes).unwrap();
            let expected = KeySum::<V>::generator().times(&scalar.b, 255).affine();
            assert!(times_generator::<V>(&scalar).affine() == expected);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "calls blst, which is C")]
    fn times_generator_is_what_the_library_multiplies() {
        is_what_the_library_multiplies::<MinPk>();
        is_what_the_library_multiplies::<MinSig>();
    }
}
