//! Where kept points lie, each under a number.

/// Points by number, and the numbers that were given back.
pub struct Shelf<P> {
    points: Vec<P>,
    vacant: Vec<u32>,
}

impl<P: Copy + Default> Shelf<P> {
    pub const fn new() -> Self {
        Shelf { points: Vec::new(), vacant: Vec::new() }
    }

    pub fn keep(&mut self, point: P) -> u32 {
        if let Some(number) = self.vacant.pop() {
            self.points[number as usize] = point;
            return number;
        }
        self.points.push(point);
        self.points.len() as u32 - 1
    }

    pub fn release(&mut self, number: u32) {
        self.points[number as usize] = P::default();
        self.vacant.push(number);
    }

    pub fn one(&self, number: u32) -> &P {
        &self.points[number as usize]
    }

    pub fn all(&self, numbers: &[u32]) -> Vec<P> {
        numbers.iter().map(|&number| *self.one(number)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Shelf;

    #[test]
    fn a_number_that_was_given_back_is_the_default_and_then_the_next_one() {
        let mut shelf = Shelf::<u8>::new();
        assert_eq!([shelf.keep(7), shelf.keep(8), shelf.keep(9)], [0, 1, 2]);
        shelf.release(1);
        assert_eq!(shelf.all(&[2, 1, 0]), [9, 0, 7]);
        assert_eq!(shelf.keep(5), 1);
        assert_eq!(shelf.keep(6), 3);
        assert_eq!(shelf.all(&[1, 3]), [5, 6]);
    }

    #[test]
    #[should_panic]
    fn a_number_that_was_never_given_out_traps() {
        Shelf::<u8>::new().all(&[0]);
    }
}
