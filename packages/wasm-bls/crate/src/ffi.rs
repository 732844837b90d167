//! The only module that calls blst: safe functions over whole points, whole field elements and slices whose length is
//! checked.
//!
//! Each call is sound for the same three reasons, which the comments below refer to as (1), (2) and (3):
//!
//! 1. every pointer comes from a reference to a whole value, or to a slice, that outlives the call;
//! 2. the length of every slice is checked, or handed over with it;
//! 3. blst reads its operands before it writes its result, so a result may be one of the operands.

use blst::*;

pub use blst::{blst_fp, blst_fp12, blst_fp2, blst_fp6, blst_scalar, BLST_ERROR};

/// A point of G1, and of G2, as sums leave it.
pub type G1 = blst_p1;
pub type G2 = blst_p2;
pub type G1Affine = blst_p1_affine;
pub type G2Affine = blst_p2_affine;

/// An element of the field over which a group's curve is defined: Fp for G1, Fp2 for G2.
pub trait Field: Copy + Default + PartialEq {
    fn plus(&self, other: &Self) -> Self;
    fn minus(&self, other: &Self) -> Self;
    fn times(&self, other: &Self) -> Self;
    fn squared(&self) -> Self;
    fn tripled(&self) -> Self;
    fn eightfold(&self) -> Self;
    /// Zero for zero.
    fn inverse(&self) -> Self;
    /// Its negative if `negative`, in constant time.
    fn negated_if(&self, negative: bool) -> Self;
    /// Sets the bits that the other has where the mask has them too.
    fn or_masked(&mut self, other: &Self, mask: u64);
}

/// A point of a group in Jacobian coordinates.
pub trait Group: Copy + Default + 'static {
    type Coordinate: Field;
    type Affine: Affine<Group = Self>;

    fn generator() -> Self;
    fn coordinates(&self) -> [&Self::Coordinate; 3];
    fn of_coordinates(x: Self::Coordinate, y: Self::Coordinate, z: Self::Coordinate) -> Self;
    fn is_infinity(&self) -> bool;
    fn affine(&self) -> Self::Affine;
    /// All of them affine, which shares the inversion.
    fn all_affine(points: &[Self]) -> Vec<Self::Affine>;
    /// Adds any point: equal, inverse or infinity.
    fn add(&mut self, point: &Self);
    /// As `add`, for fewer multiplications.
    fn add_affine(&mut self, point: &Self::Affine);
    fn double(&mut self);
    fn negate(&mut self);
    /// The product with the lowest `bits` bits of a little-endian scalar, in constant time.
    fn times(&self, scalar: &[u8], bits: usize) -> Self;
    /// The product with a secret key, in constant time, as blst signs.
    fn signed(&self, key: &blst_scalar) -> Self;
    /// The message's point under a domain separation tag (RFC 9380, section 3, hash_to_curve).
    fn hash(message: &[u8], domain: &[u8]) -> Self;
}

/// A point of a group by its x and y.
pub trait Affine: Copy + Default + PartialEq + 'static {
    type Group: Group<Affine = Self>;
    /// Bytes of a compressed encoding; an uncompressed one has twice as many.
    const COMPRESSED_BYTES: usize;

    fn generator() -> Self;
    fn minus_generator() -> Self;
    fn coordinates(&self) -> [&<Self::Group as Group>::Coordinate; 2];
    fn of_coordinates(x: <Self::Group as Group>::Coordinate, y: <Self::Group as Group>::Coordinate) -> Self;
    /// Reads a compressed encoding, which must have COMPRESSED_BYTES; whether the point is in the subgroup is not
    /// checked.
    fn uncompress(bytes: &[u8]) -> Result<Self, BLST_ERROR>;
    /// As `uncompress`, of an uncompressed encoding, which must have twice as many bytes.
    fn deserialize(bytes: &[u8]) -> Result<Self, BLST_ERROR>;
    fn compressed(&self) -> Vec<u8>;
    fn uncompressed(&self) -> Vec<u8>;
    fn is_infinity(&self) -> bool;
    fn is_in_subgroup(&self) -> bool;
    fn projective(&self) -> Self::Group;
    /// The sum of some points, by affine additions in pairs, which share an inversion; infinity for no points.
    fn sum<'a>(points: impl Iterator<Item = &'a Self>) -> Self::Group;
    /// The sum of points, each times its little-endian scalar of `bits` bits in as many bytes as these fill. Variable
    /// time.
    fn combine(points: &[Self], scalars: &[u8], bits: usize) -> Self::Group;
}

macro_rules! field {
    ($field:ty, $add:ident, $sub:ident, $mul:ident, $sqr:ident, $triple:ident, $eightfold:ident, $inverse:ident,
     $cneg:ident, |$own:ident, $other:ident, $mask:ident| $or_masked:block) => {
        impl Field for $field {
            fn plus(&self, other: &Self) -> Self {
                let mut ret = Self::default();
                // SAFETY: (1).
                unsafe { $add(&mut ret, self, other) };
                ret
            }

            fn minus(&self, other: &Self) -> Self {
                let mut ret = Self::default();
                // SAFETY: (1).
                unsafe { $sub(&mut ret, self, other) };
                ret
            }

            fn times(&self, other: &Self) -> Self {
                let mut ret = Self::default();
                // SAFETY: (1).
                unsafe { $mul(&mut ret, self, other) };
                ret
            }

            fn squared(&self) -> Self {
                let mut ret = Self::default();
                // SAFETY: (1).
                unsafe { $sqr(&mut ret, self) };
                ret
            }

            fn tripled(&self) -> Self {
                let mut ret = Self::default();
                // SAFETY: (1).
                unsafe { $triple(&mut ret, self) };
                ret
            }

            fn eightfold(&self) -> Self {
                let mut ret = Self::default();
                // SAFETY: (1).
                unsafe { $eightfold(&mut ret, self) };
                ret
            }

            fn inverse(&self) -> Self {
                let mut ret = Self::default();
                // SAFETY: (1).
                unsafe { $inverse(&mut ret, self) };
                ret
            }

            fn negated_if(&self, negative: bool) -> Self {
                let mut ret = Self::default();
                // SAFETY: (1).
                unsafe { $cneg(&mut ret, self, negative) };
                ret
            }

            fn or_masked(&mut self, other: &Self, mask: u64) {
                let ($own, $other, $mask) = (self, other, mask);
                $or_masked
            }
        }
    };
}

field!(
    blst_fp,
    blst_fp_add,
    blst_fp_sub,
    blst_fp_mul,
    blst_fp_sqr,
    blst_fp_mul_by_3,
    blst_fp_mul_by_8,
    blst_fp_inverse,
    blst_fp_cneg,
    |own, other, mask| {
        for (limb, other) in own.l.iter_mut().zip(other.l) {
            *limb |= other & mask;
        }
    }
);

field!(
    blst_fp2,
    blst_fp2_add,
    blst_fp2_sub,
    blst_fp2_mul,
    blst_fp2_sqr,
    blst_fp2_mul_by_3,
    blst_fp2_mul_by_8,
    blst_fp2_inverse,
    blst_fp2_cneg,
    |own, other, mask| {
        for (half, other) in own.fp.iter_mut().zip(&other.fp) {
            half.or_masked(other, mask);
        }
    }
);

macro_rules! group {
    (
        $group:ty, $affine:ty, $affines:ident, $coordinate:ty, $bytes:literal, $generator:ident,
        $affine_generator:ident, $minus_generator:ident, $is_inf:ident, $affine_is_inf:ident, $in_group:ident,
        $to_affine:ident, $from_affine:ident, $add:ident, $add_affine:ident, $double:ident, $cneg:ident, $mult:ident,
        $sign:ident, $hash:ident, $uncompress:ident, $deserialize:ident, $compress:ident, $serialize:ident, $sum:ident
    ) => {
        impl Group for $group {
            type Coordinate = $coordinate;
            type Affine = $affine;

            fn generator() -> Self {
                // SAFETY: a pointer to a constant of blst's, which nobody writes.
                unsafe { *$generator() }
            }

            fn coordinates(&self) -> [&$coordinate; 3] {
                [&self.x, &self.y, &self.z]
            }

            fn of_coordinates(x: $coordinate, y: $coordinate, z: $coordinate) -> Self {
                Self { x, y, z }
            }

            fn is_infinity(&self) -> bool {
                // SAFETY: (1).
                unsafe { $is_inf(self) }
            }

            fn affine(&self) -> $affine {
                let mut affine = <$affine>::default();
                // SAFETY: (1).
                unsafe { $to_affine(&mut affine, self) };
                affine
            }

            fn all_affine(points: &[Self]) -> Vec<$affine> {
                match points {
                    [] => Vec::new(),
                    [point] => vec![point.affine()],
                    _ => $affines::from(points).as_slice().to_vec(),
                }
            }

            fn add(&mut self, point: &Self) {
                let sum: *mut Self = self;
                // SAFETY: (1) and (3).
                unsafe { $add(sum, sum, point) };
            }

            fn add_affine(&mut self, point: &$affine) {
                let sum: *mut Self = self;
                // SAFETY: (1) and (3).
                unsafe { $add_affine(sum, sum, point) };
            }

            fn double(&mut self) {
                let point: *mut Self = self;
                // SAFETY: (1) and (3).
                unsafe { $double(point, point) };
            }

            fn negate(&mut self) {
                // SAFETY: (1).
                unsafe { $cneg(self, true) };
            }

            fn times(&self, scalar: &[u8], bits: usize) -> Self {
                assert!(scalar.len() * 8 >= bits);
                let mut product = Self::default();
                // SAFETY: (1), and (2) by the line above.
                unsafe { $mult(&mut product, self, scalar.as_ptr(), bits) };
                product
            }

            fn signed(&self, key: &blst_scalar) -> Self {
                let mut product = Self::default();
                // SAFETY: (1).
                unsafe { $sign(&mut product, self, key) };
                product
            }

            fn hash(message: &[u8], domain: &[u8]) -> Self {
                let mut point = Self::default();
                // SAFETY: (1) and (2); there is no augmentation.
                unsafe {
                    $hash(
                        &mut point,
                        message.as_ptr(),
                        message.len(),
                        domain.as_ptr(),
                        domain.len(),
                        core::ptr::null(),
                        0,
                    )
                };
                point
            }
        }

        impl Affine for $affine {
            type Group = $group;
            const COMPRESSED_BYTES: usize = $bytes;

            fn generator() -> Self {
                // SAFETY: a constant of blst's, which nobody writes.
                unsafe { $affine_generator }
            }

            fn minus_generator() -> Self {
                // SAFETY: as of the generator.
                unsafe { $minus_generator }
            }

            fn coordinates(&self) -> [&$coordinate; 2] {
                [&self.x, &self.y]
            }

            fn of_coordinates(x: $coordinate, y: $coordinate) -> Self {
                Self { x, y }
            }

            fn uncompress(bytes: &[u8]) -> Result<Self, BLST_ERROR> {
                assert_eq!(bytes.len(), $bytes);
                let mut point = Self::default();
                // SAFETY: (1), and (2) by the line above.
                match unsafe { $uncompress(&mut point, bytes.as_ptr()) } {
                    BLST_ERROR::BLST_SUCCESS => Ok(point),
                    code => Err(code),
                }
            }

            fn deserialize(bytes: &[u8]) -> Result<Self, BLST_ERROR> {
                assert_eq!(bytes.len(), 2 * $bytes);
                let mut point = Self::default();
                // SAFETY: (1), and (2) by the line above.
                match unsafe { $deserialize(&mut point, bytes.as_ptr()) } {
                    BLST_ERROR::BLST_SUCCESS => Ok(point),
                    code => Err(code),
                }
            }

            fn compressed(&self) -> Vec<u8> {
                let mut bytes = vec![0; $bytes];
                // SAFETY: (1); the output has as many bytes as the encoding.
                unsafe { $compress(bytes.as_mut_ptr(), self) };
                bytes
            }

            fn uncompressed(&self) -> Vec<u8> {
                let mut bytes = vec![0; 2 * $bytes];
                // SAFETY: (1); the output has as many bytes as the encoding.
                unsafe { $serialize(bytes.as_mut_ptr(), self) };
                bytes
            }

            fn is_infinity(&self) -> bool {
                // SAFETY: (1).
                unsafe { $affine_is_inf(self) }
            }

            fn is_in_subgroup(&self) -> bool {
                // SAFETY: (1).
                unsafe { $in_group(self) }
            }

            fn projective(&self) -> $group {
                let mut point = <$group>::default();
                // SAFETY: (1).
                unsafe { $from_affine(&mut point, self) };
                point
            }

            fn sum<'a>(points: impl Iterator<Item = &'a Self>) -> $group {
                let points: Vec<*const Self> = points.map(|point| point as *const _).collect();
                let mut sum = <$group>::default();
                if !points.is_empty() {
                    // SAFETY: (1) and (2): as many pointers as are said, each to a point that outlives the call.
                    unsafe { $sum(&mut sum, points.as_ptr(), points.len()) };
                }
                sum
            }

            fn combine(points: &[Self], scalars: &[u8], bits: usize) -> $group {
                // blst's own safe function, which checks the scalars' length and takes no empty list.
                match points {
                    [] => <$group>::default(),
                    _ => points.mult(scalars, bits),
                }
            }
        }
    };
}

group!(
    blst_p1,
    blst_p1_affine,
    p1_affines,
    blst_fp,
    48,
    blst_p1_generator,
    BLS12_381_G1,
    BLS12_381_NEG_G1,
    blst_p1_is_inf,
    blst_p1_affine_is_inf,
    blst_p1_affine_in_g1,
    blst_p1_to_affine,
    blst_p1_from_affine,
    blst_p1_add_or_double,
    blst_p1_add_or_double_affine,
    blst_p1_double,
    blst_p1_cneg,
    blst_p1_mult,
    blst_sign_pk_in_g2,
    blst_hash_to_g1,
    blst_p1_uncompress,
    blst_p1_deserialize,
    blst_p1_affine_compress,
    blst_p1_affine_serialize,
    blst_p1s_add
);

group!(
    blst_p2,
    blst_p2_affine,
    p2_affines,
    blst_fp2,
    96,
    blst_p2_generator,
    BLS12_381_G2,
    BLS12_381_NEG_G2,
    blst_p2_is_inf,
    blst_p2_affine_is_inf,
    blst_p2_affine_in_g2,
    blst_p2_to_affine,
    blst_p2_from_affine,
    blst_p2_add_or_double,
    blst_p2_add_or_double_affine,
    blst_p2_double,
    blst_p2_cneg,
    blst_p2_mult,
    blst_sign_pk_in_g1,
    blst_hash_to_g2,
    blst_p2_uncompress,
    blst_p2_deserialize,
    blst_p2_affine_compress,
    blst_p2_affine_serialize,
    blst_p2s_add
);

/// KeyGen (section 2.3 of the draft), big-endian.
pub fn key_gen(ikm: &[u8]) -> Vec<u8> {
    let mut scalar = blst_scalar::default();
    let mut bytes = vec![0; 32];
    // SAFETY: (1) and (2); there is no further key material, and the output has 32 bytes.
    unsafe {
        blst_keygen(&mut scalar, ikm.as_ptr(), ikm.len(), core::ptr::null(), 0);
        blst_bendian_from_scalar(bytes.as_mut_ptr(), &scalar);
    }
    bytes
}

/// A secret key of 32 big-endian bytes; nothing unless it is in 1..r-1. blst wipes it when it is dropped.
pub fn secret_key(bytes: &[u8]) -> Option<blst_scalar> {
    let bytes: &[u8; 32] = bytes.try_into().ok()?;
    let mut scalar = blst_scalar::default();
    // SAFETY: (1); the array has the 32 bytes that are read.
    let is_valid = unsafe {
        blst_scalar_from_bendian(&mut scalar, bytes.as_ptr());
        blst_sk_check(&scalar)
    };
    is_valid.then_some(scalar)
}

/// Big-endian bytes modulo r. blst wipes it when it is dropped.
pub fn scalar_modulo_r(bytes: &[u8]) -> blst_scalar {
    let mut scalar = blst_scalar::default();
    // SAFETY: (1) and (2).
    unsafe { blst_scalar_from_be_bytes(&mut scalar, bytes.as_ptr(), bytes.len()) };
    scalar
}

/// An element of Fp from big-endian bytes, modulo p.
pub fn fp_modulo_p(bytes: &[u8; 48]) -> blst_fp {
    let mut element = blst_fp::default();
    // SAFETY: (1); the array has the 48 bytes that are read.
    unsafe { blst_fp_from_bendian(&mut element, bytes.as_ptr()) };
    element
}

/// The sum of the points that two elements are mapped to, in the subgroup (RFC 9380, sections 6.6.3 and 7).
pub fn map_to_g2(elements: &[blst_fp2; 2]) -> G2 {
    let mut point = G2::default();
    // SAFETY: (1).
    unsafe { blst_map_to_g2(&mut point, &elements[0], &elements[1]) };
    point
}

/// The product of some pairings before the final exponentiation; no point may be infinity, for which blst's loop is not
/// made.
pub fn miller_loops(pairs: &[(&G1Affine, &G2Affine)]) -> blst_fp12 {
    // The default is one.
    let mut product = blst_fp12::default();
    if !pairs.is_empty() {
        let (g1, g2): (Vec<*const G1Affine>, Vec<*const G2Affine>) =
            pairs.iter().map(|&(g1, g2)| (g1 as *const _, g2 as *const _)).unzip();
        // SAFETY: (1) and (2): as many pointers in each list as are said, each to a point that outlives the call.
        unsafe { blst_miller_loop_n(&mut product, g2.as_ptr(), g1.as_ptr(), pairs.len()) };
    }
    product
}

/// Whether a product of pairings is one after the final exponentiation.
pub fn is_one_finally(product: &blst_fp12) -> bool {
    let mut power = blst_fp12::default();
    // SAFETY: (1).
    unsafe {
        blst_final_exp(&mut power, product);
        blst_fp12_is_one(&power)
    }
}

pub fn fp12_times(a: &blst_fp12, b: &blst_fp12) -> blst_fp12 {
    let mut ret = blst_fp12::default();
    // SAFETY: (1).
    unsafe { blst_fp12_mul(&mut ret, a, b) };
    ret
}

pub fn fp12_squared(a: &blst_fp12) -> blst_fp12 {
    let mut ret = blst_fp12::default();
    // SAFETY: (1).
    unsafe { blst_fp12_sqr(&mut ret, a) };
    ret
}

/// The square of what is in the cyclotomic subgroup.
pub fn fp12_cyclotomic_squared(a: &blst_fp12) -> blst_fp12 {
    let mut ret = blst_fp12::default();
    // SAFETY: (1).
    unsafe { blst_fp12_cyclotomic_sqr(&mut ret, a) };
    ret
}

/// The product with a line, whose coordinates 0, 1 and 4 are given.
pub fn fp12_times_line(a: &blst_fp12, line: &blst_fp6) -> blst_fp12 {
    let mut ret = blst_fp12::default();
    // SAFETY: (1).
    unsafe { blst_fp12_mul_by_xy00z0(&mut ret, a, line) };
    ret
}
