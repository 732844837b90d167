//! Pixel, the forward-secure multi-signature of Drijvers, Gorbunov, Neven and Wee (USENIX Security 2020): its
//! operations on the curve. Times, encodings and randomness are src/pixel's; a node of the time tree comes as its path,
//! a byte of 1 or 2 for each step.
//!
//! Scalars are 64 big-endian bytes, reduced here modulo r. A sub-key is 48 bytes in G1 (g2r), 96 in G2 (hpoly) and 96
//! for each element of hvector, all compressed. Scalars are wiped when they are dropped.

use crate::ffi::{
    blst_fp12, blst_fp2, blst_scalar, fp_modulo_p, map_to_g2 as mapped_to_g2, miller_loops, scalar_modulo_r, Affine,
    G1Affine, G2Affine, Group, G1, G2,
};
use crate::generator::times_generator;
use crate::pairing::{product_is_one, COEFFICIENT_BITS};
use crate::point::*;
use crate::round::RoundOf;
use crate::variant::MinPk;
use wasm_bindgen::prelude::wasm_bindgen;

const SCALAR_BITS: usize = 255;

/// A scalar that is wiped when it is dropped, which blst's own type sees to.
struct Secret(blst_scalar);

impl Secret {
    /// 64 big-endian bytes, modulo r.
    fn read(bytes: &[u8]) -> Secret {
        Secret(scalar_modulo_r(bytes))
    }

    fn times_g1(&self) -> G1 {
        times_generator::<MinPk>(&self.0)
    }

    fn times(&self, point: &G2) -> G2 {
        point.times(&self.0.b, SCALAR_BITS)
    }

    fn times_affine(&self, point: &G2Affine) -> G2 {
        self.times(&point.projective())
    }
}

/// A point of one's own key: on the curve, trusted to be in the subgroup.
fn own<P: Affine>(bytes: &[u8]) -> Option<P::Group> {
    if bytes.len() != P::COMPRESSED_BYTES {
        return None;
    }
    Some(P::uncompress(bytes).ok()?.projective())
}

/// Compressed points of G2, made affine together, which shares the inversion.
fn all_compressed(points: &[G2]) -> Vec<u8> {
    G2::all_affine(points).iter().flat_map(Affine::compressed).collect()
}

/// A signature's two points: 144 untrusted compressed bytes, or 288 that were checked before.
fn read_signature(bytes: &[u8]) -> Result<(G1Affine, G2Affine), Fault> {
    match bytes.len() {
        144 => Ok((read(&bytes[..48])?, read(&bytes[48..])?)),
        288 => Ok((read_checked(&bytes[..96])?, read_checked(&bytes[96..])?)),
        _ => Err(Fault::Length),
    }
}

/// Whether neither point is infinity, which no signer makes and no verification accepts.
fn is_finite(g1: &G1Affine, g2: &G2Affine) -> bool {
    !g1.is_infinity() && !g2.is_infinity()
}

fn signature_bytes(g1: &G1Affine, g2: &G2Affine) -> Vec<u8> {
    [g1.uncompressed(), g2.uncompressed()].concat()
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
    [g1.compressed(), g2.compressed()].concat()
}

/// The sum of two signatures of 288 checked bytes.
#[wasm_bindgen]
pub fn pixel_add_signatures(a: &[u8], b: &[u8]) -> Vec<u8> {
    let (Ok(a), Ok(b)) = (read_signature(a), read_signature(b)) else {
        return Vec::new();
    };
    let (mut g1, mut g2) = (a.0.projective(), a.1.projective());
    g1.add_affine(&b.0);
    g2.add_affine(&b.1);
    signature_bytes(&g1.affine(), &g2.affine())
}

/// The sum of the points that two elements of Fp2 are mapped to, in the subgroup (RFC 9380, sections 6.6.3 and 7): 48
/// big-endian bytes each of the first's real and imaginary part, then the second's.
#[wasm_bindgen]
pub fn map_to_g2(elements: &[u8]) -> Vec<u8> {
    let mut fields = [blst_fp2::default(); 2];
    for (i, part) in elements.chunks_exact(48).enumerate() {
        fields[i / 2].fp[i % 2] = fp_modulo_p(part.try_into().unwrap());
    }
    mapped_to_g2(&fields).affine().uncompressed()
}

/// Whether a proof of possession is the key's over its hashed encoding.
#[wasm_bindgen]
pub fn pixel_verify_possession(key: &[u8], proof: &[u8], hashed: &[u8]) -> bool {
    let (Ok(key), Ok(proof), Ok(hashed)) = (read_key(key), read(proof), read_checked(hashed)) else {
        return false;
    };
    crate::pairing::agree::<MinPk>(&key, &hashed, &proof)
}

/// The product of a secret and a point of G2, 96 bytes: a proof of possession.
#[wasm_bindgen]
pub fn pixel_prove_possession(secret: &[u8], hashed: &[u8]) -> Vec<u8> {
    match read_checked(hashed) {
        Ok(hashed) => Secret::read(secret).times_affine(&hashed).affine().compressed(),
        Err(_) => Vec::new(),
    }
}

#[wasm_bindgen]
pub fn pixel_public_key(secret: &[u8]) -> Vec<u8> {
    Secret::read(secret).times_g1().affine().compressed()
}

/// A suite's parameters: h, then h_0 .. h_D.
#[wasm_bindgen]
pub struct PixelParameters {
    h: G2Affine,
    bases: Vec<G2Affine>,
}

#[wasm_bindgen]
impl PixelParameters {
    /// Points of 192 uncompressed bytes each, one after the other; nothing if one is not on the curve.
    pub fn open(points: &[u8]) -> Option<PixelParameters> {
        let mut bases = points.chunks(192).map(|point| read_checked(point).ok()).collect::<Option<Vec<_>>>()?;
        let h = bases.remove(0);
        Some(PixelParameters { h, bases })
    }

    /// The sub-key of time 1.
    pub fn first_subkey(&self, secret: &[u8], randomness: &[u8]) -> Vec<u8> {
        let (x, r) = (Secret::read(secret), Secret::read(randomness));
        let mut points = vec![x.times_affine(&self.h)];
        points[0].add(&r.times_affine(&self.bases[0]));
        points.extend(self.bases[1..].iter().map(|base| r.times_affine(base)));
        [r.times_g1().affine().compressed(), all_compressed(&points)].concat()
    }

    /// The sub-key of a descendant. Without randomness it keeps its ancestor's.
    ///
    /// `path` is the descendant's, which begins with its ancestor's; empty if a point of the sub-key is invalid.
    pub fn delegate(&self, subkey: &[u8], path: &[u8], randomness: &[u8]) -> Vec<u8> {
        self.delegated(subkey, path, randomness).unwrap_or_default()
    }

    /// A signature of 144 bytes by the sub-key of a time; empty if a point of the sub-key is invalid.
    pub fn sign(&self, subkey: &[u8], path: &[u8], message: &[u8], randomness: &[u8]) -> Vec<u8> {
        self.signed(subkey, path, message, randomness).unwrap_or_default()
    }

    pub fn verify(&self, key: &[u8], path: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let (Ok(key), Ok((g1, g2))) = (read_key(key), read_signature(signature)) else {
            return false;
        };
        let image = self.image(path, message);
        is_finite(&g1, &g2) && product_is_one::<MinPk>(&[key, g1, G1Affine::minus_generator()], &[self.h, image, g2])
    }

    /// Whether a sub-key is of this public key and this node, all of its points in their subgroups.
    ///
    /// e(g2, hpoly) = e(pk, h) e(g2r, h_0 + sum t_i h_i), and e(g2, hvector[i]) = e(g2r, h_i) for the rest, each times
    /// a coefficient of 8 random bytes, in one check.
    pub fn check_subkey(&self, key: &[u8], path: &[u8], subkey: &[u8], coefficients: &[u8]) -> bool {
        let Ok(key) = read_key(key) else {
            return false;
        };
        let Ok(g2r) = read::<G1Affine>(&subkey[..48]) else {
            return false;
        };
        let points: Option<Vec<G2Affine>> = subkey[48..].chunks(96).map(|point| read(point).ok()).collect();
        let Some(points) = points else {
            return false;
        };
        let mut left = points[0].projective();
        let mut right = self.node(path);
        if points.len() > 1 {
            let sum = |points: &[G2Affine]| G2Affine::combine(points, coefficients, COEFFICIENT_BITS);
            left.add(&sum(&points[1..]));
            right.add(&sum(&self.bases[path.len() + 1..]));
        }
        product_is_one::<MinPk>(&[key, g2r, G1Affine::minus_generator()], &[self.h, right.affine(), left.affine()])
    }

    /// e(pk, h) of a key, or of the sum of some, 48 bytes each, kept for any number of checks; nothing if one is not
    /// valid or they cancel out.
    pub fn keep(&self, keys: &[u8]) -> Option<PixelKept> {
        let mut sum = G1::default();
        for key in keys.chunks(48) {
            sum.add_affine(&read_key(key).ok()?);
        }
        if sum.is_infinity() {
            return None;
        }
        let pairing = miller_loops(&[(&sum.affine(), &self.h)]);
        Some(PixelKept { pairing })
    }

    /// One time and one message over keys of 96 checked bytes each; nothing if one is not a valid key.
    pub fn round(&self, keys: &[u8], path: &[u8], message: &[u8]) -> Option<PixelRound> {
        Some(PixelRound { round: RoundOf::over(keys, self.image(path, message))?, h: self.h })
    }

    /// Whether a signature is that of the key whose pairing is kept.
    pub fn verify_kept(&self, kept: &PixelKept, path: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let Ok((g1, g2)) = read_signature(signature) else {
            return false;
        };
        let image = self.image(path, message);
        is_finite(&g1, &g2)
            && crate::pairing::product_with_kept_is_one::<MinPk>(
                &kept.pairing,
                &[g1, G1Affine::minus_generator()],
                &[image, g2],
            )
    }
}

impl PixelParameters {
    /// h_0 + sum t_i h_i.
    fn node(&self, path: &[u8]) -> G2 {
        let mut sum = self.bases[0].projective();
        for (step, base) in path.iter().zip(&self.bases[1..]) {
            for _ in 0..*step {
                sum.add_affine(base);
            }
        }
        sum
    }

    /// What a signature of a message at a time is verified against: h_0 + sum t_i h_i + m h_D.
    fn image(&self, path: &[u8], message: &[u8]) -> G2Affine {
        let mut sum = self.node(path);
        let last = self.bases.last().unwrap();
        sum.add(&Secret::read(message).times_affine(last));
        sum.affine()
    }

    fn delegated(&self, subkey: &[u8], path: &[u8], randomness: &[u8]) -> Option<Vec<u8>> {
        let ancestor = self.bases.len() - 1 - (subkey.len() - 144) / 96;
        let mut hpoly = own::<G2Affine>(&subkey[48..144])?;
        let (steps, rest) = subkey[144..].split_at((path.len() - ancestor) * 96);
        for (element, step) in steps.chunks(96).zip(&path[ancestor..]) {
            let element = own::<G2Affine>(element)?;
            for _ in 0..*step {
                hpoly.add(&element);
            }
        }
        if randomness.is_empty() {
            return Some([&subkey[..48], &hpoly.affine().compressed(), rest].concat());
        }
        let r = Secret::read(randomness);
        let mut g2r = own::<G1Affine>(&subkey[..48])?;
        g2r.add(&r.times_g1());
        hpoly.add(&r.times(&self.node(path)));
        let mut points = vec![hpoly];
        for (element, base) in rest.chunks(96).zip(&self.bases[path.len() + 1..]) {
            let mut element = own::<G2Affine>(element)?;
            element.add(&r.times_affine(base));
            points.push(element);
        }
        Some([g2r.affine().compressed(), all_compressed(&points)].concat())
    }

    fn signed(&self, subkey: &[u8], path: &[u8], message: &[u8], randomness: &[u8]) -> Option<Vec<u8>> {
        let (m, r) = (Secret::read(message), Secret::read(randomness));
        let mut g1 = own::<G1Affine>(&subkey[..48])?;
        g1.add(&r.times_g1());
        let mut g2 = own::<G2Affine>(&subkey[48..144])?;
        g2.add(&m.times(&own::<G2Affine>(&subkey[subkey.len() - 96..])?));
        g2.add(&r.times_affine(&self.image(path, message)));
        Some([g1.affine().compressed(), g2.affine().compressed()].concat())
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
    round: RoundOf<MinPk>,
    h: G2Affine,
}

#[wasm_bindgen]
impl PixelRound {
    /// Whether the signature (144 untrusted bytes, or 288 checked ones) is the sum of the claimed keys' signatures.
    pub fn verify(&self, first: u32, bits: &[u8], signature: &[u8]) -> bool {
        let (Some(key), Ok((g1, g2))) = (self.round.sum(first as usize, bits), read_signature(signature)) else {
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
            let (Some(key), Ok((g1, g2))) = (self.round.sum(claim[0] as usize, bits), read_signature(signature)) else {
                continue;
            };
            if key.is_infinity() || !is_finite(&g1, &g2) {
                continue;
            }
            read.keys.push(key.affine());
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
    keys: Vec<G1Affine>,
    signatures: (Vec<G1Affine>, Vec<G2Affine>),
    places: Vec<u32>,
    h: G2Affine,
    image: G2Affine,
}

#[wasm_bindgen]
impl PixelClaims {
    /// As ReadClaims::places.
    pub fn places(&self) -> Vec<u32> {
        self.places.clone()
    }

    /// As ReadClaims::hold.
    pub fn hold(&self, from: usize, to: usize, coefficients: &[u8]) -> bool {
        let key = G1Affine::combine(&self.keys[from..to], coefficients, COEFFICIENT_BITS);
        let g1 = G1Affine::combine(&self.signatures.0[from..to], coefficients, COEFFICIENT_BITS);
        let g2 = G2Affine::combine(&self.signatures.1[from..to], coefficients, COEFFICIENT_BITS);
        holds(&self.h, &self.image, &key, &g1.affine(), &g2.affine())
    }
}

/// e(-g, sigma2) e(sigma1, F) e(pk, h) = 1.
fn holds(h: &G2Affine, image: &G2Affine, key: &G1, g1: &G1Affine, g2: &G2Affine) -> bool {
    if key.is_infinity() || !is_finite(g1, g2) {
        return false;
    }
    product_is_one::<MinPk>(&[key.affine(), *g1, G1Affine::minus_generator()], &[*h, *image, *g2])
}
