//! Points of both groups and their encodings: the only module that hands untrusted bytes to the curve library.

use crate::ffi::{Affine, Field, Group, BLST_ERROR};

/// Why bytes are not a point. The numbers cross to JavaScript, where `faults` in src/blst-wasm.ts names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Fault {
    Length = 1,
    Encoding = 2,
    NotOnCurve = 3,
    NotInSubgroup = 4,
    Infinity = 5,
}

impl From<BLST_ERROR> for Fault {
    fn from(code: BLST_ERROR) -> Fault {
        match code {
            BLST_ERROR::BLST_POINT_NOT_ON_CURVE => Fault::NotOnCurve,
            BLST_ERROR::BLST_POINT_NOT_IN_GROUP => Fault::NotInSubgroup,
            _ => Fault::Encoding,
        }
    }
}

fn in_subgroup<P: Affine>(point: P) -> Result<P, Fault> {
    point.is_in_subgroup().then_some(point).ok_or(Fault::NotInSubgroup)
}

/// A point that is not infinity.
pub fn finite<P: Affine>(point: P) -> Result<P, Fault> {
    (!point.is_infinity()).then_some(point).ok_or(Fault::Infinity)
}

/// A point from its compressed encoding, in the subgroup, infinity included.
pub fn read<P: Affine>(bytes: &[u8]) -> Result<P, Fault> {
    if bytes.len() != P::COMPRESSED_BYTES {
        return Err(Fault::Length);
    }
    in_subgroup(P::uncompress(bytes)?)
}

/// A public key (KeyValidate, section 2.5 of the draft): a point that is not infinity.
pub fn read_key<P: Affine>(bytes: &[u8]) -> Result<P, Fault> {
    finite(read(bytes)?)
}

/// A point from an uncompressed encoding that was checked before: on the curve, trusted to be in the subgroup.
pub fn read_checked<P: Affine>(bytes: &[u8]) -> Result<P, Fault> {
    if bytes.len() != 2 * P::COMPRESSED_BYTES {
        return Err(Fault::Length);
    }
    // The library's deserialiser would read the compressed form too, which its first bit announces.
    if bytes[0] & 0x80 != 0 {
        return Err(Fault::Encoding);
    }
    Ok(P::deserialize(bytes)?)
}

/// A key from an uncompressed encoding that was checked before: `read_checked` that refuses infinity too.
pub fn read_checked_key<P: Affine>(bytes: &[u8]) -> Result<P, Fault> {
    finite(read_checked(bytes)?)
}

/// As `read`, or from an untrusted uncompressed encoding, checked no less: no square root, at twice the bytes.
pub fn read_any<P: Affine>(bytes: &[u8]) -> Result<P, Fault> {
    if bytes.len() != 2 * P::COMPRESSED_BYTES {
        return read(bytes);
    }
    in_subgroup(read_checked(bytes)?)
}

/// Public keys, uncompressed one after the other, that were checked before; nothing if one is not valid.
pub fn read_checked_keys<P: Affine>(keys: &[u8]) -> Option<Vec<P>> {
    keys.chunks(2 * P::COMPRESSED_BYTES).map(|key| read_checked_key(key).ok()).collect()
}

/// Uncompressed encodings, one after the other, of points that are made affine together, which shares the inversion.
pub fn all_uncompressed<P: Group>(points: &[P]) -> Vec<u8> {
    P::all_affine(points).iter().flat_map(Affine::uncompressed).collect()
}

/// Adds any point. One whose z is one, as a decoded one's is, takes the cheaper addition, and two such the cheapest.
///
/// Points are public, so that to look at their coordinates tells nothing secret.
pub fn add_any<P: Group>(sum: &mut P, point: &P) {
    let generator = P::generator();
    let one = generator.coordinates()[2];
    let [x, y, z] = point.coordinates();
    if z != one {
        sum.add(point);
    } else if sum.coordinates()[2] == one && sum.coordinates()[0] != x {
        *sum = sum_of_affine(sum, point);
    } else {
        sum.add_affine(&P::Affine::of_coordinates(*x, *y));
    }
}

/// The sum of two points whose z is one and whose x differ: mmadd-2007-bl of the Explicit-Formulas Database, 4 products
/// and 2 squares where the library's addition of an affine point takes 7 and 4.
fn sum_of_affine<P: Group>(a: &P, b: &P) -> P {
    let ([ax, ay, _], [bx, by, _]) = (a.coordinates(), b.coordinates());
    let twice = |x: &P::Coordinate| x.plus(x);
    let h = bx.minus(ax);
    let z = twice(&h);
    let i = z.squared();
    let j = h.times(&i);
    let r = twice(&by.minus(ay));
    let v = ax.times(&i);
    let x = r.squared().minus(&j).minus(&twice(&v));
    let y = r.times(&v.minus(&x)).minus(&twice(&ay.times(&j)));
    P::of_coordinates(x, y, z)
}
