/**
 * Whether the simulator does what lies in this folder. It only saves time: it changes no run, and whoever reads the
 * simulator may skip it. `false` leaves all of it out.
 *
 * One more thing is done for speed alone, where a run's objects are made: they are written field by field, because a
 * spread gives each run's objects another shape, and the engine throws away what it has compiled for the last one.
 */
export const isTuned = true;
