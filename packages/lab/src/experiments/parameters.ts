import { defaultScenario, type Scenario } from '@tutti/simulation';
import { at, type Experiment, type Extent } from './experiment.ts';
import { type Axis, type Figure, type Sample, seeds } from './figure.ts';
import { change, messagesReceived, threeDigits, timeMs } from './measures.ts';

/** A parameter of Handel that appendix A varies, and the paper's conclusion about it. */
interface Parameter {
  readonly title: string;
  readonly field: 'levelStartMs' | 'fastPath' | 'periodMs';
  readonly x: Axis;
  readonly values: readonly number[];
  readonly claim: string;
  holds(messages: Means, time: Means): boolean;
  because(messages: Means, time: Means): string;
}

/** Returns a series' mean at a value of the parameter. */
type Means = (x: number) => number;

const startTime: Parameter = {
  title: 'Start times of levels',
  field: 'levelStartMs',
  x: { label: 'delay between the starts of two consecutive levels', unit: 'ms', scale: 'linear' },
  values: [0, 25, 50, 75, 100],
  claim:
    'Starting levels 50 ms apart saves some 20 % of the messages and takes a similar time (section 3.6). The claim is judged to hold if at least 15 % of the messages are saved and the time increases by at most the same percentage.',
  holds: (messages, time) =>
    messages(50) <= 0.85 * messages(0) && time(50) / time(0) - 1 <= 1 - messages(50) / messages(0),
  because: (messages, time) =>
    `with 50 ms instead of 0 ms, ${change(messages(50), messages(0))} messages arrive (${threeDigits(messages(50))} to ` +
    `${threeDigits(messages(0))}) and the aggregation takes ${change(time(50), time(0), 'longer', 'less')}`,
};

const fastPath: Parameter = {
  title: 'Fast path',
  field: 'fastPath',
  x: { label: 'number of peers contacted at once', unit: '', scale: 'linear' },
  values: [0, 5, 10, 20, 40],
  claim:
    'Contacting 10 peers at once when a level is complete saves time at the cost of messages; more peers save little more time (section 3.6).',
  holds: (messages, time) =>
    time(10) < time(0) && messages(40) > messages(10) && time(0) - time(10) > time(10) - time(40),
  because: (messages, time) =>
    `10 peers instead of none make the aggregation ${threeDigits(time(0) - time(10))} ms faster, with ${change(messages(10), messages(0))} messages; ` +
    `40 peers instead of 10 save ${threeDigits(time(10) - time(40))} ms, with ${change(messages(40), messages(10))} messages`,
};

const period: Parameter = {
  title: 'Dissemination period',
  field: 'periodMs',
  x: { label: 'dissemination period', unit: 'ms', scale: 'linear' },
  values: [5, 10, 15, 20, 40, 80],
  claim:
    'A period of 20 ms is a good compromise between messages and time: shorter periods cost far more messages and save little time (section 3.6). The claim is judged to hold if, compared with 5 ms, the percentage of time added is at most the percentage of messages saved, and the aggregation takes longer with 80 ms than with 20 ms.',
  holds: (messages, time) => time(20) / time(5) - 1 <= 1 - messages(20) / messages(5) && time(80) > time(20),
  because: (messages, time) =>
    `raising the period from 5 ms to 20 ms makes the aggregation ${change(time(20), time(5), 'longer', 'shorter')} with ${change(messages(20), messages(5))} messages; ` +
    `raising it from 20 ms to 80 ms makes it ${change(time(80), time(20), 'longer', 'shorter')} with ${change(messages(80), messages(20))} messages`,
};

/** A setting of appendix A. */
interface AppendixSetting {
  readonly name: string;
  readonly section: string;
  readonly scenario: Partial<Scenario>;
}

const cities: AppendixSetting = { name: 'cities', section: 'A.1', scenario: { network: 'cities', dead: 0.01 } };
const aws: AppendixSetting = { name: 'AWS', section: 'A.2', scenario: { network: 'aws', dead: 0.01 } };
const tor: AppendixSetting = { name: 'Tor', section: 'A.3', scenario: { network: 'aws', tor: 0.2, dead: 0.01 } };
const dead: AppendixSetting = { name: '20 % dead', section: 'A.4', scenario: { network: 'aws', dead: 0.2 } };

/** Figures 7 to 17: the three parameters, one at a time, in the four settings of appendix A. */
export const parameterExperiments: readonly Experiment[] = [
  experiment(7, startTime, cities),
  experiment(8, fastPath, cities),
  experiment(9, period, cities),
  experiment(10, period, aws),
  experiment(11, startTime, aws),
  experiment(12, fastPath, aws),
  experiment(13, period, tor),
  experiment(14, startTime, tor),
  experiment(15, fastPath, tor),
  experiment(16, period, dead),
  experiment(17, startTime, dead),
];

function experiment(number: number, parameter: Parameter, setting: AppendixSetting): Experiment {
  const { claim, field, title, values, x } = parameter;
  const samples = (extent: Extent): Sample[] =>
    values.map((value) => ({
      x: value,
      scenario: { ...defaultScenario, ...setting.scenario, nodes: at(extent, 64, 1024, 4096), [field]: value },
      seeds: seeds(at(extent, 1, 3, 5)),
    }));
  return {
    id: `fig${number}`,
    title: `${title}, ${setting.name}`,
    section: `v1.03 ${setting.section}, figure ${number}`,
    claim,
    charts: (extent) => [
      {
        title: `${title}, ${setting.name}`,
        x,
        left: { label: messagesReceived.label, unit: '', scale: 'linear' },
        right: { label: timeMs.label, unit: 'ms', scale: 'linear' },
        series: [
          { name: 'messages received', measure: messagesReceived, samples: samples(extent) },
          { name: 'time to 99 %', axis: 'right', measure: timeMs, samples: samples(extent) },
        ],
      },
    ],
    holds(figure: Figure) {
      const messages = (value: number) => figure.mean('messages received', value);
      const time = (value: number) => figure.mean('time to 99 %', value);
      return { holds: parameter.holds(messages, time), because: parameter.because(messages, time) };
    },
  };
}
