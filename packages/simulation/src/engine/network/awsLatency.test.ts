import { expect, it } from 'vitest';
import { awsOneWayUs, awsRegions } from './awsLatency.ts';

const oneWayMs = (a: (typeof awsRegions)[number], b: (typeof awsRegions)[number]): number =>
  awsOneWayUs(awsRegions.indexOf(a), awsRegions.indexOf(b)) / 1000;

it("v1.03 appendix B: one way is half of the table's round trip", () => {
  expect(awsRegions.length).toBe(11);
  expect(oneWayMs('Oregon', 'Virginia')).toBe(40.5);
  expect(oneWayMs('Oregon', 'London')).toBe(70.5);
  expect(oneWayMs('Virginia', 'Canada')).toBe(6.5);
  expect(oneWayMs('Mumbai', 'Singapore')).toBe(31);
  expect(oneWayMs('Seoul', 'Tokyo')).toBe(17.5);
  expect(oneWayMs('Singapore', 'London')).toBe(85.5);
  expect(oneWayMs('Sydney', 'Frankfurt')).toBe(141);
  expect(oneWayMs('Tokyo', 'Frankfurt')).toBe(117.5);
  expect(oneWayMs('Canada', 'London')).toBe(43.5);
  expect(oneWayMs('Frankfurt', 'London')).toBe(6.5);
  expect(oneWayMs('Ireland', 'London')).toBe(6);
});

it('v1.03 appendix B: is symmetrical, and whole microseconds', () => {
  for (let a = 0; a < 11; a++) {
    for (let b = 0; b < 11; b++) {
      expect(awsOneWayUs(a, b)).toBe(awsOneWayUs(b, a));
      expect(Number.isInteger(awsOneWayUs(a, b)) && awsOneWayUs(a, b) >= 1000).toBe(true);
    }
  }
});

it("v1.03 appendix B: the pairs add up to the table's 55 round trips", () => {
  let sumMs = 0;
  for (let a = 0; a < 11; a++) for (let b = a + 1; b < 11; b++) sumMs += (2 * awsOneWayUs(a, b)) / 1000;
  expect(sumMs).toBe(8124);
});

it('is 1 ms within a region', () => {
  for (let region = 0; region < 11; region++) expect(awsOneWayUs(region, region)).toBe(1000);
});
