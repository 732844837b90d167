/** Field of a link. */
export interface Field<Value> {
  /** Name in links and forms, if it differs from the field's key. */
  readonly name?: string;
  /** Name in older links, which is still accepted. */
  readonly formerName?: string;
  /** Value of the field for a link that does not name it. */
  readonly first: Value;
  /** Description of the values that the field accepts. */
  readonly takes: string;
  /** Values that a form offers for the field. */
  readonly choices?: readonly unknown[];
  /** Whether a link repeats the field for each of the value's comma-separated words. */
  readonly repeats?: boolean;
  /** Parses the text of a value. Returns undefined for a rejected text. */
  read(text: string): Value | undefined;
  /**
   * Returns the accepted value that is nearest to a rejected text, or undefined if there is none. If there is no
   * nearest value, `first` replaces the rejected text.
   */
  nearest?(text: string): Value | undefined;
  /** Returns the text of a value, or undefined for a value that links omit. */
  write(value: Value): string | undefined;
}

/** Table with a field for each property. */
export type FieldTable<Values> = { readonly [Key in keyof Values]-?: Field<Values[Key]> };

/** Result of reading a link. */
export interface Reading<Values> {
  readonly values: Values;
  /**
   * Notices, one line for each rejected text or unknown name. The notice about a rejected text names its replacement.
   */
  readonly notices: readonly string[];
}

/** Range of seeds. */
export const seeds = { min: 0, max: 2 ** 32 - 1 } as const;

/** Returns the parameters of a link in order, given its fragment with or without `#`. */
export function parametersOf(link: string): URLSearchParams {
  return new URLSearchParams(link.replace(/^#/, ''));
}

/** Returns parameters as a fragment. Colons, commas and slashes are not escaped in the fragment. */
export function linkOf(parameters: Iterable<readonly [name: string, text: string]>): string {
  return new URLSearchParams([...parameters].map(([name, text]) => [name, text]))
    .toString()
    .replace(/=(?=&|$)/g, '')
    .replaceAll('%3A', ':')
    .replaceAll('%2C', ',')
    .replaceAll('%2F', '/');
}

/**
 * Codec of links: a table of fields defines the values that a link contains, the texts that it rejects, and the form
 * with the same values.
 */
export class Fields<Values> {
  readonly table: FieldTable<Values>;
  readonly first: Values;
  readonly names: readonly string[];

  constructor(table: FieldTable<Values>) {
    this.table = table;
    this.first = this.#each((_, field) => field.first);
    this.names = this.entries.map(([key, field]) => field.name ?? key);
  }

  /**
   * Parses a link from an untrusted source. If a parameter occurs several times, the first text applies, unless the
   * parameter's field repeats.
   *
   * @param others names of parameters that other code reads.
   */
  read(link: string | URLSearchParams, others: readonly string[] = []): Reading<Values> {
    const texts = typeof link === 'string' ? parametersOf(link) : link;
    const notices: string[] = [];
    const values = this.#each((key, field) => {
      const name =
        field.formerName !== undefined && texts.has(field.formerName) ? field.formerName : (field.name ?? key);
      const [text] = field.repeats && texts.has(name) ? [texts.getAll(name).join(',')] : texts.getAll(name);
      if (text === undefined) return field.first;
      const value = field.read(text);
      if (value !== undefined) return value;
      const instead = field.nearest?.(text) ?? field.first;
      const taken = field.write(instead);
      notices.push(
        `${name}: expected ${field.takes}, got "${text.slice(0, 40)}"; ${taken ? `${taken} is used` : 'it is left out'}`,
      );
      return instead;
    });
    const former = this.entries.map(([, field]) => field.formerName);
    for (const name of new Set(texts.keys()))
      if (!this.names.includes(name) && !former.includes(name) && !others.includes(name))
        notices.push(`${name.slice(0, 40)}: there is no setting with this name; it is ignored`);
    return { values, notices };
  }

  /** Returns the fragment of a link, without `#`. @param whole whether to include default values. */
  write(values: Values, whole = false): string {
    return linkOf(this.parameters(values, whole));
  }

  /** Returns the parameters of a link in the order of the table. @param whole whether to include default values. */
  parameters(values: Values, whole = false): (readonly [name: string, text: string])[] {
    return this.entries.flatMap(([key, field]) => {
      const text = field.write(values[key as keyof Values]);
      if (text === undefined || (!whole && text === field.write(field.first))) return [];
      const each = !field.repeats ? [text] : text === '' ? [] : text.split(',');
      return each.map((one) => [field.name ?? key, one] as const);
    });
  }

  get entries(): readonly [key: string, field: Field<Values[keyof Values]>][] {
    return Object.entries(this.table);
  }

  #each(value: (key: string, field: Field<Values[keyof Values]>) => unknown): Values {
    return Object.fromEntries(this.entries.map(([key, field]) => [key, value(key, field)])) as Values;
  }
}

/** Returns the field with a different name in links. */
export function named<Value>(name: string, field: Field<Value>): Field<Value> {
  return { ...field, name };
}

/** Returns a field that links may omit. */
export function optional<Value>(field: Field<Value>): Field<Value | undefined> {
  return { ...field, first: undefined, write: (value) => (value === undefined ? undefined : field.write(value)) };
}

/** Returns a field with one of some values. @param text returns the text of a value in a link. */
export function choice<Value>(
  choices: readonly Value[],
  first: Value,
  text: (value: Value) => string = String,
): Field<Value> {
  const read = (given: string) => choices.find((value) => text(value) === given);
  return { first, choices, takes: choices.map(text).join(' or '), read, write: text };
}

/**
 * Returns a field for a number within a range.
 *
 * @param step multiple to which values are rounded. With step 1, the field accepts only integers and rejects other
 * numbers.
 */
export function number({ min, max }: { readonly min: number; readonly max: number }, first: number, step?: number) {
  const rounded = (value: number) => (step === undefined ? value : Math.round(value / step) / (1 / step));
  const numberIn = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));
  const isTaken = (value: number) => value >= min && value <= max && (step !== 1 || Number.isInteger(value));
  return {
    first,
    takes: `${step === 1 ? 'an integer' : 'a number'} from ${min} to ${max}`,
    read: (text: string) => (isTaken(numberIn(text)) ? rounded(numberIn(text)) : undefined),
    nearest: (text: string) =>
      Number.isFinite(numberIn(text)) ? rounded(Math.min(max, Math.max(min, numberIn(text)))) : undefined,
    write: String,
  } satisfies Field<number>;
}

/** Returns a field for an integer in a range. */
export function whole(range: { readonly min: number; readonly max: number }, first: number): Field<number> {
  return number(range, first, 1);
}

const maxMomentMs = 2 ** 31 / 1000 - 1;
const momentMs = number({ min: 0, max: maxMomentMs }, 0);
const inUs = (timeMs: number | undefined) => (timeMs === undefined ? undefined : Math.round(timeMs * 1000));

/** Field for a moment of a run, ms in a link and µs in the page; undefined if the link names no moment. */
export const moment: Field<number | undefined> = {
  name: 't',
  first: undefined,
  takes: `a time from 0 to ${maxMomentMs} ms`,
  read: (given) => inUs(momentMs.read(given)),
  nearest: (given) => inUs(momentMs.nearest(given)),
  write: (timeUs) => (timeUs === undefined ? undefined : String(timeUs / 1000)),
};

/** Returns a field for `min` to `max` distinct words from a set, separated by commas. */
export function words<Word extends string>(
  choices: readonly Word[],
  first: readonly Word[],
  { min, max }: { readonly min: number; readonly max: number },
): Field<readonly Word[]> {
  const known = (given: string) =>
    [...new Set(given.split(','))].flatMap((one) => choices.find((word) => word === one) ?? []);
  const isEnough = ({ length }: readonly Word[]) => length >= min && length <= max;
  return {
    first,
    choices,
    takes: `${min} to ${max} of ${choices.join(', ')}`,
    read(given) {
      const all = known(given);
      return isEnough(all) && all.join(',') === given ? all : undefined;
    },
    nearest: (given) => (isEnough(known(given)) ? known(given) : undefined),
    write: (value) => value.join(','),
  };
}

/** Field that is true if a link contains the field's name, whatever its text. */
export const word: Field<boolean> = {
  first: false,
  takes: 'no text',
  read: () => true,
  write: (value) => (value ? '' : undefined),
};

/** Returns a field for a text with at most `max` UTF-16 code units. */
export function text(max: number): Field<string> {
  return {
    first: '',
    takes: `up to ${max} characters without control characters`,
    read: (given) => (given.length <= max && !/\p{Cc}/u.test(given) ? given : undefined),
    write: (value) => value || undefined,
  };
}

/**
 * Returns a field for a strategy and one of the strategy's proofs, such as `greedy:23`.
 *
 * @param present returns the current name of a strategy, given its current or former name.
 */
export function proofOf<Strategy extends string>(
  among: readonly Strategy[],
  present: (name: string) => string | undefined,
): Field<{ readonly strategy: Strategy; readonly proof: number } | undefined> {
  return {
    name: 'job',
    first: undefined,
    takes: `${among.join(' or ')} and one of its proofs, such as ${among[0]}:23`,
    read(given) {
      const [, name, proof] = /^([a-z-]+):(\d{1,6})$/.exec(given) ?? [];
      const called = present(name ?? '');
      const strategy = among.find((one) => one === called);
      return strategy && { strategy, proof: Number(proof) };
    },
    write: (asked) => asked && `${asked.strategy}:${asked.proof}`,
  };
}

type Control = HTMLInputElement | HTMLSelectElement;

/** Control whose value differs from the text of the control's field. */
export interface OwnControl {
  /** Returns the text of the field, or undefined if the form leaves the field unset. */
  read(): string | undefined;
  show(text: string | undefined): void;
}

/** Form whose controls have the names of the fields in a link. The form parses its values in the same way as a link. */
export class FieldForm<Values> {
  readonly #form: HTMLFormElement;
  readonly #fields: Fields<Values>;
  readonly #own: Readonly<Record<string, OwnControl>>;

  /**
   * Fills the choice fields of a form with their options.
   *
   * @param words texts of the options of choice fields, by field key. Default: the texts used in links.
   * @param own controls that replace the form's own controls, by field name in links.
   */
  constructor(
    form: HTMLFormElement,
    fields: Fields<Values>,
    words: { readonly [Key in keyof Values]?: (value: Values[Key]) => string } = {},
    own: Readonly<Record<string, OwnControl>> = {},
  ) {
    this.#form = form;
    this.#fields = fields;
    this.#own = own;
    for (const [key, field] of fields.entries) {
      const control = this.#control(field.name ?? key);
      if (!(control instanceof HTMLSelectElement) || control.options.length > 0) continue;
      const inWords = words[key as keyof Values] ?? field.write;
      for (const value of (field.choices ?? []) as Values[keyof Values][])
        control.add(new Option(inWords(value), field.write(value)));
      control.value = field.write(field.first) ?? '';
    }
  }

  /** Reads the form in the same way as a link. @param base values of fields that have no control. */
  read(base: Values): Reading<Values> {
    const link = parametersOf(this.#fields.write(base, true));
    for (const name of this.#fields.names) {
      const own = this.#own[name];
      const text = own === undefined ? this.#textOf(name) : own.read();
      if (text !== undefined) link.set(name, text);
      else if (own !== undefined) link.delete(name);
    }
    return this.#fields.read(link);
  }

  /** Reads the form, and replaces rejected values in its controls by the accepted values. @param base as in `read`. */
  accept(base: Values): Values {
    const { values } = this.read(base);
    this.show(values);
    return values;
  }

  /** Sets the controls of the form. */
  show(values: Values): void {
    const link = parametersOf(this.#fields.write(values, true));
    for (const name of this.#fields.names) {
      const text = link.get(name) ?? undefined;
      const control = this.#control(name);
      if (this.#own[name] !== undefined) this.#own[name].show(text);
      else if (control instanceof RadioNodeList)
        for (const box of boxesOf(control)) box.checked = text?.split(',').includes(box.value) ?? false;
      else if (control !== undefined) control.value = text ?? '';
    }
  }

  #textOf(name: string): string | undefined {
    const control = this.#control(name);
    if (!(control instanceof RadioNodeList)) return control?.value;
    return new FormData(this.#form).getAll(name).join(',');
  }

  #control(name: string): Control | RadioNodeList | undefined {
    return (this.#form.elements.namedItem(name) ?? undefined) as Control | RadioNodeList | undefined;
  }
}

/** Returns the check boxes or radio buttons of a group. */
function boxesOf(group: RadioNodeList): HTMLInputElement[] {
  return [...group].filter((box) => box instanceof HTMLInputElement);
}
