//! Pixel, the forward-secure multi-signature of Drijvers, Gorbunov, Neven and Wee (USENIX Security 2020): what it asks of the curve.
//! Times, encodings and randomness are src/pixel's; a node of the time tree comes as its path, a byte of 1 or 2 for each step.
//!
//! Scalars are 64 big-endian bytes, reduced here modulo r. A sub-key is 48 bytes in G1 (g2r), 96 in G2 (hpoly) and 96 for each
//! element of hvector, all compressed. Scalars that were read are overwritten when they go.

use crate::generator::times_generator;
use crate::pairing::product_is_one;
use crate::point::*;
use crate::round::Round;
use blst::*;
use wasm_bindgen::prelude::wasm_bindgen;

const SCALAR_BITS: usize = 255;
const COEFFICIENT_BITS: usize = 64;

/// A scalar that does not stay in memory.
struct Secret(blst_scalar);

impl Secret {
    /// 64 big-endian bytes, modulo r.
    fn read(bytes: &[u8]) -> Secret {
        let mut scalar = blst_scalar::default();
        // SAFETY: the pointer is to as many bytes as are said, and the scalar is a whole value of this function's.
        unsafe { blst_scalar_from_be_bytes(&mut scalar, bytes.as_ptr(), bytes.len()) };
        Secret(scalar)
    }

    fn times_g1(&self) -> blst_p1 {
        times_generator(&self.0)
    }

    fn times(&self, point: &blst_p2) -> blst_p2 {
        let mut product = blst_p2::default();
        // SAFETY: the scalar has 32 bytes, which is what 255 bits fill; point and product are whole values that do not overlap.
        unsafe { blst_p2_mult(&mut product, point, self.0.b.as_ptr(), SCALAR_BITS) };
        product
    }

    fn times_affine(&self, point: &blst_p2_affine) -> blst_p2 {
        self.times(&projective_g2(point))
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        for byte in self.0.b.iter_mut() {
            // SAFETY: a byte of one's own, borrowed for writing. A plain store to what is about to go would be left out.
            unsafe { core::ptr::write_volatile(byte, 0) };
        }
    }
}

fn add(sum: &mut blst_p2, point: &blst_p2) {
    let augend: *const blst_p2 = sum;
    // SAFETY: three whole points; the library reads both operands before it writes, so the sum may be one of them.
    unsafe { blst_p2_add_or_double(sum, augend, point) };
}

fn add_p1(sum: &mut blst_p1, point: &blst_p1) {
    let augend: *const blst_p1 = sum;
    // SAFETY: three whole points; the library reads both operands before it writes, so the sum may be one of them.
    unsafe { blst_p1_add_or_double(sum, augend, point) };
}

/// A point of a key of one's own: on the curve, trusted to be in the subgroup.
fn own_g2(bytes: &[u8]) -> Option<blst_p2> {
    let bytes: &[u8; 96] = bytes.try_into().ok()?;
    let mut point = blst_p2_affine::default();
    // SAFETY: the encoding has 96 bytes, and the point is a whole value of this function's.
    let code = unsafe { blst_p2_uncompress(&mut point, bytes.as_ptr()) };
    (code == BLST_ERROR::BLST_SUCCESS).then(|| projective_g2(&point))
}

fn own_g1(bytes: &[u8]) -> Option<blst_p1> {
    let bytes: &[u8; 48] = bytes.try_into().ok()?;
    let mut affine = blst_p1_affine::default();
    // SAFETY: the encoding has 48 bytes, and the point is a whole value of this function's.
    let code = unsafe { blst_p1_uncompress(&mut affine, bytes.as_ptr()) };
    let mut point = blst_p1::default();
    // SAFETY: two whole values of this function's, the one read and the other written; what was refused is infinity or off the curve,
    // which is copied as it is.
    unsafe { blst_p1_from_affine(&mut point, &affine) };
    (code == BLST_ERROR::BLST_SUCCESS).then_some(point)
}

/// Points of G2 in their compressed form; made affine together, which shares the inversion.
fn all_compressed(points: &[blst_p2]) -> Vec<u8> {
    p2_affines::from(points)
        .as_slice()
        .iter()
        .flat_map(compressed_g2_affine)
        .collect()
}

/// A signature's two points: 144 compressed bytes of a stranger's, or 288 that were checked before.
fn read_signature(bytes: &[u8]) -> Result<(blst_p1_affine, blst_p2_affine), Fault> {
    match bytes.len() {
        144 => Ok((read_g1(&bytes[..48])?, read_g2(&bytes[48..])?)),
        288 => Ok((
            read_checked_g1(&bytes[..96])?,
            read_checked_g2(&bytes[96..])?,
        )),
        _ => Err(Fault::Length),
    }
}

/// Whether neither point is infinity, which no signer makes and no verification accepts.
fn is_finite(g1: &blst_p1_affine, g2: &blst_p2_affine) -> bool {
    // SAFETY: references to whole points, which are read.
    unsafe { !blst_p1_affine_is_inf(g1) && !blst_p2_affine_is_inf(g2) }
}

fn signature_bytes(g1: &blst_p1_affine, g2: &blst_p2_affine) -> Vec<u8> {
    [uncompressed_g1(g1), uncompressed_g2_affine(g2)].concat()
}

#[wasm_bindgen]
pub fn pixel_decode_signature(bytes: &[u8]) -> Vec<u8> {
    match read_signature(bytes) {
        Ok((g1, g2)) => signature_bytes(&g1, &g2),
        Err(fault) => vec![fault as u8],
    }
}

/// 144 compressed bytes of 288 checked ones.
#[wasm_bindgen]
pub fn pixel_encode_signature(points: &[u8]) -> Vec<u8> {
    let Ok((g1, g2)) = read_signature(points) else {
        return Vec::new();
    };
    let mut bytes = compressed_g1_affine(&g1);
    bytes.extend(compressed_g2_affine(&g2));
    bytes
}

/// The sum of two signatures of 288 checked bytes.
#[wasm_bindgen]
pub fn pixel_add_signatures(a: &[u8], b: &[u8]) -> Vec<u8> {
    let (Ok(a), Ok(b)) = (read_signature(a), read_signature(b)) else {
        return Vec::new();
    };
    let mut g1 = blst_p1::default();
    let mut g2 = projective_g2(&a.1);
    // SAFETY: two whole points that do not overlap, the one read and the other written.
    unsafe { blst_p1_from_affine(&mut g1, &a.0) };
    add_g1(&mut g1, &b.0);
    add_g2(&mut g2, &b.1);
    signature_bytes(&affine_g1(&g1), &affine_g2(&g2))
}

/// The sum of the points that two elements of Fp2 are mapped to, in the subgroup (RFC 9380, sections 6.6.3 and 7): 48 big-endian bytes
/// each of the first's real and imaginary part, then the second's.
#[wasm_bindgen]
pub fn map_to_g2(elements: &[u8]) -> Vec<u8> {
    let mut fields = [blst_fp2::default(); 2];
    for (i, part) in elements.chunks_exact(48).enumerate() {
        // SAFETY: the part has the 48 bytes that are read; which element is written, the index checks.
        unsafe { blst_fp_from_bendian(&mut fields[i / 2].fp[i % 2], part.as_ptr()) };
    }
    let mut point = blst_p2::default();
    // SAFETY: two elements that are read and a point that is written, all whole values of this function's.
    unsafe { blst_map_to_g2(&mut point, &fields[0], &fields[1]) };
    uncompressed_g2(&point)
}

/// Whether a proof of possession is the key's over its hashed encoding.
#[wasm_bindgen]
pub fn pixel_verify_possession(key: &[u8], proof: &[u8], hashed: &[u8]) -> bool {
    let (Ok(key), Ok(proof), Ok(hashed)) = (read_key(key), read_g2(proof), read_checked_g2(hashed))
    else {
        return false;
    };
    crate::pairing::agree(&key, &hashed, &proof)
}

/// The product of a secret and a point of G2, 96 bytes: a proof of possession.
#[wasm_bindgen]
pub fn pixel_prove_possession(secret: &[u8], hashed: &[u8]) -> Vec<u8> {
    match read_checked_g2(hashed) {
        Ok(hashed) => compressed_g2(&Secret::read(secret).times_affine(&hashed)),
        Err(_) => Vec::new(),
    }
}

#[wasm_bindgen]
pub fn pixel_public_key(secret: &[u8]) -> Vec<u8> {
    compressed_g1(&Secret::read(secret).times_g1())
}

/// A suite's parameters: h, then h_0 .. h_D.
#[wasm_bindgen]
pub struct PixelParameters {
    h: blst_p2_affine,
    bases: Vec<blst_p2_affine>,
}

#[wasm_bindgen]
impl PixelParameters {
    /// Points of 192 uncompressed bytes each, one after the other; none if one is no point of the curve.
    pub fn open(points: &[u8]) -> Option<PixelParameters> {
        let mut bases = points
            .chunks(192)
            .map(|point| read_checked_g2(point).ok())
            .collect::<Option<Vec<_>>>()?;
        let h = bases.remove(0);
        Some(PixelParameters { h, bases })
    }

    /// The sub-key of time 1.
    pub fn first_subkey(&self, secret: &[u8], randomness: &[u8]) -> Vec<u8> {
        let (x, r) = (Secret::read(secret), Secret::read(randomness));
        let mut points = vec![x.times_affine(&self.h)];
        add(&mut points[0], &r.times_affine(&self.bases[0]));
        points.extend(self.bases[1..].iter().map(|base| r.times_affine(base)));
        [compressed_g1(&r.times_g1()), all_compressed(&points)].concat()
    }

    /// The sub-key of a descendant. Without randomness it keeps its ancestor's.
    ///
    /// `path` is the descendant's, of which the ancestor's is the beginning; nothing if a point of the sub-key is none.
    pub fn delegate(&self, subkey: &[u8], path: &[u8], randomness: &[u8]) -> Vec<u8> {
        self.delegated(subkey, path, randomness).unwrap_or_default()
    }

    /// A signature of 144 bytes by the sub-key of a time; nothing if a point of the sub-key is none.
    pub fn sign(&self, subkey: &[u8], path: &[u8], message: &[u8], randomness: &[u8]) -> Vec<u8> {
        self.signed(subkey, path, message, randomness)
            .unwrap_or_default()
    }

    pub fn verify(&self, key: &[u8], path: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let (Ok(key), Ok((g1, g2))) = (read_key(key), read_signature(signature)) else {
            return false;
        };
        let image = self.image(path, message);
        is_finite(&g1, &g2) && product_is_one(&[key, g1, minus_generator()], &[self.h, image, g2])
    }

    /// Whether a sub-key is of this public key and this node, all of its points in their subgroups.
    ///
    /// e(g2, hpoly) = e(pk, h) e(g2r, h_0 + sum t_i h_i), and e(g2, hvector[i]) = e(g2r, h_i) for the rest, each times a coefficient of
    /// 8 random bytes, in one check.
    pub fn check_subkey(
        &self,
        key: &[u8],
        path: &[u8],
        subkey: &[u8],
        coefficients: &[u8],
    ) -> bool {
        let Ok(key) = read_key(key) else {
            return false;
        };
        let Ok(g2r) = read_g1(&subkey[..48]) else {
            return false;
        };
        let points: Option<Vec<blst_p2_affine>> = subkey[48..]
            .chunks(96)
            .map(|point| read_g2(point).ok())
            .collect();
        let Some(points) = points else {
            return false;
        };
        let mut left = projective_g2(&points[0]);
        let mut right = self.node(path);
        if points.len() > 1 {
            let sum = |points: &[blst_p2_affine]| points.mult(coefficients, COEFFICIENT_BITS);
            add(&mut left, &sum(&points[1..]));
            add(&mut right, &sum(&self.bases[path.len() + 1..]));
        }
        product_is_one(
            &[key, g2r, minus_generator()],
            &[self.h, affine_g2(&right), affine_g2(&left)],
        )
    }

    /// A committee whose members' e(pk, h) is kept as one, for a single key or for the sum of at least one, 48 bytes each; none if
    /// one is not valid or they cancel out.
    pub fn keep(&self, keys: &[u8]) -> Option<PixelKept> {
        let mut sum = blst_p1::default();
        for key in keys.chunks(48) {
            add_g1(&mut sum, &read_key(key).ok()?);
        }
        // SAFETY: a whole point of this function's, which is read.
        if unsafe { blst_p1_is_inf(&sum) } {
            return None;
        }
        let mut pairing = blst_fp12::default();
        // SAFETY: two points of a single pair, neither infinity: the sum was looked at above, and h is a generator that was checked to
        // be on the curve when it was made.
        unsafe { blst_miller_loop(&mut pairing, &self.h, &affine_g1(&sum)) };
        Some(PixelKept { pairing })
    }

    /// One time and one message over keys of 96 checked bytes each; none if one is not a valid key.
    pub fn round(&self, keys: &[u8], path: &[u8], message: &[u8]) -> Option<PixelRound> {
        Some(PixelRound {
            round: Round::over(keys, self.image(path, message))?,
            h: self.h,
        })
    }

    /// Whether a signature is that of the key whose pairing is kept.
    pub fn verify_kept(
        &self,
        kept: &PixelKept,
        path: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> bool {
        let Ok((g1, g2)) = read_signature(signature) else {
            return false;
        };
        let image = self.image(path, message);
        is_finite(&g1, &g2)
            && crate::pairing::product_with_kept_is_one(
                &kept.pairing,
                &[g1, minus_generator()],
                &[image, g2],
            )
    }
}

impl PixelParameters {
    /// h_0 + sum t_i h_i.
    fn node(&self, path: &[u8]) -> blst_p2 {
        let mut sum = projective_g2(&self.bases[0]);
        for (step, base) in path.iter().zip(&self.bases[1..]) {
            for _ in 0..*step {
                add_g2(&mut sum, base);
            }
        }
        sum
    }

    /// What a signature of a message at a time is verified against: h_0 + sum t_i h_i + m h_D.
    fn image(&self, path: &[u8], message: &[u8]) -> blst_p2_affine {
        let mut sum = self.node(path);
        let last = self.bases.last().unwrap();
        add(&mut sum, &Secret::read(message).times_affine(last));
        affine_g2(&sum)
    }

    fn delegated(&self, subkey: &[u8], path: &[u8], randomness: &[u8]) -> Option<Vec<u8>> {
        let ancestor = self.bases.len() - 1 - (subkey.len() - 144) / 96;
        let mut hpoly = own_g2(&subkey[48..144])?;
        let (steps, rest) = subkey[144..].split_at((path.len() - ancestor) * 96);
        for (element, step) in steps.chunks(96).zip(&path[ancestor..]) {
            let element = own_g2(element)?;
            for _ in 0..*step {
                add(&mut hpoly, &element);
            }
        }
        if randomness.is_empty() {
            return Some([&subkey[..48], &compressed_g2(&hpoly), rest].concat());
        }
        let r = Secret::read(randomness);
        let mut g2r = own_g1(&subkey[..48])?;
        add_p1(&mut g2r, &r.times_g1());
        add(&mut hpoly, &r.times(&self.node(path)));
        let mut points = vec![hpoly];
        for (element, base) in rest.chunks(96).zip(&self.bases[path.len() + 1..]) {
            let mut element = own_g2(element)?;
            add(&mut element, &r.times_affine(base));
            points.push(element);
        }
        Some([compressed_g1(&g2r), all_compressed(&points)].concat())
    }

    fn signed(
        &self,
        subkey: &[u8],
        path: &[u8],
        message: &[u8],
        randomness: &[u8],
    ) -> Option<Vec<u8>> {
        let (m, r) = (Secret::read(message), Secret::read(randomness));
        let mut g1 = own_g1(&subkey[..48])?;
        add_p1(&mut g1, &r.times_g1());
        let mut g2 = own_g2(&subkey[48..144])?;
        add(&mut g2, &m.times(&own_g2(&subkey[subkey.len() - 96..])?));
        add(&mut g2, &r.times_affine(&self.image(path, message)));
        Some([compressed_g1(&g1), compressed_g2(&g2)].concat())
    }
}

/// e(pk, h) of one key, or of the sum of some, without the final exponentiation that it shares with the other pairings.
#[wasm_bindgen]
pub struct PixelKept {
    pairing: blst_fp12,
}

/// One time, one message and a registry, against which contributions are verified.
#[wasm_bindgen]
pub struct PixelRound {
    round: Round,
    h: blst_p2_affine,
}

#[wasm_bindgen]
impl PixelRound {
    /// Whether the signature (144 bytes of a stranger's, or 288 checked ones) is the sum of the claimed keys' signatures.
    pub fn verify(&self, first: u32, bits: &[u8], signature: &[u8]) -> bool {
        let (Some(key), Ok((g1, g2))) = (
            self.round.sum(first as usize, bits),
            read_signature(signature),
        ) else {
            return false;
        };
        holds(&self.h, self.round.message(), &key, &g1, &g2)
    }

    /// As Round::read_claims.
    pub fn read_claims(&self, claims: &[u32], bytes: &[u8]) -> PixelClaims {
        let mut rest = bytes;
        let mut read = PixelClaims {
            keys: Vec::with_capacity(claims.len() / 3),
            signatures: (Vec::new(), Vec::new()),
            places: Vec::with_capacity(claims.len() / 3),
            h: self.h,
            image: *self.round.message(),
        };
        for (place, claim) in claims.chunks(3).enumerate() {
            let (bits, after) = rest.split_at(claim[1] as usize);
            let (signature, after) = after.split_at(claim[2] as usize);
            rest = after;
            let (Some(key), Ok((g1, g2))) = (
                self.round.sum(claim[0] as usize, bits),
                read_signature(signature),
            ) else {
                continue;
            };
            // SAFETY: a whole point of this loop's, which is read.
            if unsafe { blst_p1_is_inf(&key) } || !is_finite(&g1, &g2) {
                continue;
            }
            read.keys.push(affine_g1(&key));
            read.signatures.0.push(g1);
            read.signatures.1.push(g2);
            read.places.push(place as u32);
        }
        read
    }
}

/// Claims that were read once, as batch.rs has them for BLS.
#[wasm_bindgen]
pub struct PixelClaims {
    keys: Vec<blst_p1_affine>,
    signatures: (Vec<blst_p1_affine>, Vec<blst_p2_affine>),
    places: Vec<u32>,
    h: blst_p2_affine,
    image: blst_p2_affine,
}

#[wasm_bindgen]
impl PixelClaims {
    /// As ReadClaims::places.
    pub fn places(&self) -> Vec<u32> {
        self.places.clone()
    }

    /// As ReadClaims::hold.
    pub fn hold(&self, from: usize, to: usize, coefficients: &[u8]) -> bool {
        let key = self.keys[from..to].mult(coefficients, COEFFICIENT_BITS);
        let g1 = self.signatures.0[from..to].mult(coefficients, COEFFICIENT_BITS);
        let g2 = self.signatures.1[from..to].mult(coefficients, COEFFICIENT_BITS);
        holds(&self.h, &self.image, &key, &affine_g1(&g1), &affine_g2(&g2))
    }
}

/// e(-g, sigma2) e(sigma1, F) e(pk, h) = 1.
fn holds(
    h: &blst_p2_affine,
    image: &blst_p2_affine,
    key: &blst_p1,
    g1: &blst_p1_affine,
    g2: &blst_p2_affine,
) -> bool {
    // SAFETY: a reference to a whole point, which is read.
    if unsafe { blst_p1_is_inf(key) } || !is_finite(g1, g2) {
        return false;
    }
    product_is_one(
        &[affine_g1(key), *g1, minus_generator()],
        &[*h, *image, *g2],
    )
}
