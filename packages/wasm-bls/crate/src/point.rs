//! Points of G1 and G2 and their encodings: the only module that hands a stranger's bytes to the curve library.

use crate::suite::SIGNATURE_DST;
use blst::*;

/// Why some bytes are not a point; the numbers are the door's, `faults` in blst-wasm.ts gives them their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Fault {
    Length = 1,
    Encoding = 2,
    NotOnCurve = 3,
    NotInSubgroup = 4,
    Infinity = 5,
}

fn checked<P>(point: P, code: BLST_ERROR) -> Result<P, Fault> {
    match code {
        BLST_ERROR::BLST_SUCCESS => Ok(point),
        BLST_ERROR::BLST_POINT_NOT_ON_CURVE => Err(Fault::NotOnCurve),
        BLST_ERROR::BLST_POINT_NOT_IN_GROUP => Err(Fault::NotInSubgroup),
        _ => Err(Fault::Encoding),
    }
}

/// Whether a first byte announces the uncompressed form; the library's deserialisers would otherwise read the compressed one too.
fn is_uncompressed(bytes: &[u8]) -> bool {
    bytes[0] & 0x80 == 0
}

/// A point of G1 from 48 compressed bytes, in the subgroup, infinity included.
pub fn read_g1(bytes: &[u8]) -> Result<blst_p1_affine, Fault> {
    if bytes.len() != 48 {
        return Err(Fault::Length);
    }
    let mut point = blst_p1_affine::default();
    // SAFETY: the length was checked above.
    let code = unsafe { blst_p1_uncompress(&mut point, bytes.as_ptr()) };
    let point = checked(point, code)?;
    // SAFETY: references to whole values, which the library reads or writes once.
    if unsafe { blst_p1_affine_in_g1(&point) } {
        Ok(point)
    } else {
        Err(Fault::NotInSubgroup)
    }
}

/// A public key (KeyValidate, section 2.5 of the draft): a point of G1 that is not infinity.
pub fn read_key(bytes: &[u8]) -> Result<blst_p1_affine, Fault> {
    let point = read_g1(bytes)?;
    // SAFETY: references to whole values, which the library reads or writes once.
    if unsafe { blst_p1_affine_is_inf(&point) } {
        Err(Fault::Infinity)
    } else {
        Ok(point)
    }
}

/// A point of G1 from 96 uncompressed bytes that were checked before: on the curve, trusted to be in the subgroup.
pub fn read_checked_g1(bytes: &[u8]) -> Result<blst_p1_affine, Fault> {
    if bytes.len() != 96 {
        return Err(Fault::Length);
    }
    if !is_uncompressed(bytes) {
        return Err(Fault::Encoding);
    }
    let mut point = blst_p1_affine::default();
    // SAFETY: the length was checked above.
    let code = unsafe { blst_p1_deserialize(&mut point, bytes.as_ptr()) };
    checked(point, code)
}

/// A key from 96 uncompressed bytes that were checked before: read_checked_g1 that refuses infinity too.
pub fn read_checked_key(bytes: &[u8]) -> Result<blst_p1_affine, Fault> {
    let point = read_checked_g1(bytes)?;
    // SAFETY: references to whole values, which the library reads or writes once.
    if unsafe { blst_p1_affine_is_inf(&point) } {
        Err(Fault::Infinity)
    } else {
        Ok(point)
    }
}

/// A point of G2 from 96 compressed bytes, in the subgroup, infinity included.
pub fn read_g2(bytes: &[u8]) -> Result<blst_p2_affine, Fault> {
    if bytes.len() != 96 {
        return Err(Fault::Length);
    }
    let mut point = blst_p2_affine::default();
    // SAFETY: the length was checked above.
    let code = unsafe { blst_p2_uncompress(&mut point, bytes.as_ptr()) };
    let point = checked(point, code)?;
    // SAFETY: references to whole values, which the library reads or writes once.
    if unsafe { blst_p2_affine_in_g2(&point) } {
        Ok(point)
    } else {
        Err(Fault::NotInSubgroup)
    }
}

/// A point of G2 from 192 uncompressed bytes that were checked before: on the curve, trusted to be in the subgroup.
pub fn read_checked_g2(bytes: &[u8]) -> Result<blst_p2_affine, Fault> {
    if bytes.len() != 192 {
        return Err(Fault::Length);
    }
    if !is_uncompressed(bytes) {
        return Err(Fault::Encoding);
    }
    let mut point = blst_p2_affine::default();
    // SAFETY: the length was checked above.
    let code = unsafe { blst_p2_deserialize(&mut point, bytes.as_ptr()) };
    checked(point, code)
}

/// As read_g2; or from 192 uncompressed bytes of a stranger's, no less checked: no square root, at twice the bytes.
pub fn read_any_g2(bytes: &[u8]) -> Result<blst_p2_affine, Fault> {
    if bytes.len() != 192 {
        return read_g2(bytes);
    }
    let point = read_checked_g2(bytes)?;
    // SAFETY: references to whole values, which the library reads or writes once.
    if unsafe { blst_p2_affine_in_g2(&point) } {
        Ok(point)
    } else {
        Err(Fault::NotInSubgroup)
    }
}

/// A secret key from 32 big-endian bytes; none unless it is in 1..r-1.
pub fn read_scalar(bytes: &[u8]) -> Option<blst_scalar> {
    if bytes.len() != 32 {
        return None;
    }
    let mut scalar = blst_scalar::default();
    // SAFETY: 32 bytes are there to be read.
    unsafe {
        blst_scalar_from_bendian(&mut scalar, bytes.as_ptr());
        blst_sk_check(&scalar).then_some(scalar)
    }
}

pub fn compressed_g1(point: &blst_p1) -> Vec<u8> {
    let mut bytes = vec![0; 48];
    // SAFETY: the output has as many bytes as the encoding.
    unsafe { blst_p1_compress(bytes.as_mut_ptr(), point) };
    bytes
}

pub fn compressed_g1_affine(point: &blst_p1_affine) -> Vec<u8> {
    let mut bytes = vec![0; 48];
    // SAFETY: the output has as many bytes as the encoding.
    unsafe { blst_p1_affine_compress(bytes.as_mut_ptr(), point) };
    bytes
}

pub fn uncompressed_g1(point: &blst_p1_affine) -> Vec<u8> {
    let mut bytes = vec![0; 96];
    // SAFETY: the output has as many bytes as the encoding.
    unsafe { blst_p1_affine_serialize(bytes.as_mut_ptr(), point) };
    bytes
}

pub fn compressed_g2(point: &blst_p2) -> Vec<u8> {
    let mut bytes = vec![0; 96];
    // SAFETY: the output has as many bytes as the encoding.
    unsafe { blst_p2_compress(bytes.as_mut_ptr(), point) };
    bytes
}

pub fn compressed_g2_affine(point: &blst_p2_affine) -> Vec<u8> {
    let mut bytes = vec![0; 96];
    // SAFETY: the output has as many bytes as the encoding.
    unsafe { blst_p2_affine_compress(bytes.as_mut_ptr(), point) };
    bytes
}

pub fn uncompressed_g2(point: &blst_p2) -> Vec<u8> {
    let mut bytes = vec![0; 192];
    // SAFETY: the output has as many bytes as the encoding.
    unsafe { blst_p2_serialize(bytes.as_mut_ptr(), point) };
    bytes
}

pub fn uncompressed_g2_affine(point: &blst_p2_affine) -> Vec<u8> {
    let mut bytes = vec![0; 192];
    // SAFETY: the output has as many bytes as the encoding.
    unsafe { blst_p2_affine_serialize(bytes.as_mut_ptr(), point) };
    bytes
}

pub fn affine_g1(point: &blst_p1) -> blst_p1_affine {
    let mut affine = blst_p1_affine::default();
    // SAFETY: references to whole values, which the library reads or writes once.
    unsafe { blst_p1_to_affine(&mut affine, point) };
    affine
}

pub fn affine_g2(point: &blst_p2) -> blst_p2_affine {
    let mut affine = blst_p2_affine::default();
    // SAFETY: references to whole values, which the library reads or writes once.
    unsafe { blst_p2_to_affine(&mut affine, point) };
    affine
}

pub fn projective_g2(point: &blst_p2_affine) -> blst_p2 {
    let mut projective = blst_p2::default();
    // SAFETY: references to whole values, which the library reads or writes once.
    unsafe { blst_p2_from_affine(&mut projective, point) };
    projective
}

/// A running sum in G1 and one more point: equal, inverse and infinity are all good.
pub fn add_g1(sum: &mut blst_p1, point: &blst_p1_affine) {
    let augend: *const blst_p1 = sum;
    // SAFETY: the library reads both operands before it writes, so the sum may be one of them.
    unsafe { blst_p1_add_or_double_affine(sum, augend, point) };
}

/// A running sum in G2 and one more point: equal, inverse and infinity are all good.
pub fn add_g2(sum: &mut blst_p2, point: &blst_p2_affine) {
    let augend: *const blst_p2 = sum;
    // SAFETY: the library reads both operands before it writes, so the sum may be one of them.
    unsafe { blst_p2_add_or_double_affine(sum, augend, point) };
}

/// As add_g2, for any point: one that is affine already, a decoded one, takes the cheaper addition, and two such the cheapest.
pub fn add_any_g2(sum: &mut blst_p2, point: &blst_p2) {
    // SAFETY: a constant of the library, written by nobody.
    let one = unsafe { (*blst_p2_generator()).z };
    if point.z == one {
        if sum.z == one && sum.x != point.x {
            *sum = add_affine_g2(sum, point);
            return;
        }
        return add_g2(
            sum,
            &blst_p2_affine {
                x: point.x,
                y: point.y,
            },
        );
    }
    let augend: *const blst_p2 = sum;
    // SAFETY: the library reads both operands before it writes, so the sum may be one of them.
    unsafe { blst_p2_add_or_double(sum, augend, point) };
}

/// The sum of two points whose z is one and whose x differ: mmadd-2007-bl of the Explicit-Formulas Database, 4 products and 2 squares where
/// the library's addition of an affine point takes 7 and 4. Points of strangers, so a comparison of x beforehand tells nothing that is secret.
fn add_affine_g2(a: &blst_p2, b: &blst_p2) -> blst_p2 {
    let twice = |x: &blst_fp2| binary(blst_fp2_add, x, x);
    let h = binary(blst_fp2_sub, &b.x, &a.x);
    let z = twice(&h);
    let i = square(&z);
    let j = binary(blst_fp2_mul, &h, &i);
    let r = twice(&binary(blst_fp2_sub, &b.y, &a.y));
    let v = binary(blst_fp2_mul, &a.x, &i);
    let x = square(&r);
    let x = binary(blst_fp2_sub, &binary(blst_fp2_sub, &x, &j), &twice(&v));
    let y = binary(blst_fp2_mul, &r, &binary(blst_fp2_sub, &v, &x));
    let y = binary(blst_fp2_sub, &y, &twice(&binary(blst_fp2_mul, &a.y, &j)));
    blst_p2 { x, y, z }
}

fn square(a: &blst_fp2) -> blst_fp2 {
    let mut ret = blst_fp2::default();
    // SAFETY: references to whole values, one read and the other written.
    unsafe { blst_fp2_sqr(&mut ret, a) };
    ret
}

/// One of the library's operations of Fp2 on two elements.
fn binary(
    // SAFETY: a type, which does nothing; what is handed in reads two elements and writes the third.
    operation: unsafe extern "C" fn(*mut blst_fp2, *const blst_fp2, *const blst_fp2),
    a: &blst_fp2,
    b: &blst_fp2,
) -> blst_fp2 {
    let mut ret = blst_fp2::default();
    // SAFETY: references to whole values, of which the library reads two and writes the third.
    unsafe { operation(&mut ret, a, b) };
    ret
}

/// G1's generator, negated.
pub fn minus_generator() -> blst_p1_affine {
    // SAFETY: a constant of the library, written by nobody.
    unsafe { BLS12_381_NEG_G1 }
}

/// The sum of some points of G1, by affine additions in pairs, which share an inversion; infinity for none.
pub fn sum_g1<'a>(points: impl Iterator<Item = &'a blst_p1_affine>) -> blst_p1 {
    let points: Vec<*const blst_p1_affine> = points.map(|point| point as *const _).collect();
    let mut sum = blst_p1::default();
    if !points.is_empty() {
        // SAFETY: as many pointers as are said, each to a point that outlives the call.
        unsafe { blst_p1s_add(&mut sum, points.as_ptr(), points.len()) };
    }
    sum
}

/// A point of G1 times a little-endian scalar of so many bits.
pub fn times_g1(point: &blst_p1_affine, scalar: &[u8], bits: usize) -> blst_p1 {
    assert!(scalar.len() * 8 >= bits);
    let mut projective = blst_p1::default();
    let mut product = blst_p1::default();
    // SAFETY: references to whole values, which the library reads or writes once; the scalar's length was seen to above.
    unsafe {
        blst_p1_from_affine(&mut projective, point);
        blst_p1_mult(&mut product, &projective, scalar.as_ptr(), bits);
    }
    product
}

/// A message's point of G2 under a domain (RFC 9380, hash_to_curve).
pub fn hash_to_g2(message: &[u8], dst: &[u8]) -> blst_p2 {
    let mut point = blst_p2::default();
    // SAFETY: message and domain are as long as is said, and there is no augmentation.
    unsafe {
        blst_hash_to_g2(
            &mut point,
            message.as_ptr(),
            message.len(),
            dst.as_ptr(),
            dst.len(),
            core::ptr::null(),
            0,
        )
    };
    point
}

/// A signature, or with another domain a proof of possession (CoreSign, section 2.6 of the draft).
pub fn sign(scalar: &blst_scalar, message: &[u8], dst: &[u8]) -> Vec<u8> {
    let hashed = hash_to_g2(message, dst);
    let mut signature = blst_p2::default();
    // SAFETY: references to whole values, which the library reads or writes once.
    unsafe { blst_sign_pk_in_g1(&mut signature, &hashed, scalar) };
    compressed_g2(&signature)
}

/// The point that stands for a message in a signature, affine.
pub fn hash_message(message: &[u8]) -> blst_p2_affine {
    affine_g2(&hash_to_g2(message, SIGNATURE_DST))
}
