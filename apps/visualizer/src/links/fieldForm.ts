import { type Fields, parametersOf, type Reading } from './fields.ts';

type Control = HTMLInputElement | HTMLSelectElement;

/** Control whose value differs from the text of its field. */
export interface OwnControl {
  /** Returns the text of the field, or undefined if the form does not set it. */
  read(): string | undefined;
  show(text: string | undefined): void;
}

/** Form whose controls have the names of a link's fields. It reads its values in the same way as a link. */
export class FieldForm<Values> {
  readonly #form: HTMLFormElement;
  readonly #fields: Fields<Values>;
  readonly #own: Readonly<Record<string, OwnControl>>;

  /**
   * @param words texts of the options of a choice field, by the field's key. Default: those of a link.
   * @param own controls of fields, by their names in links. The form has no control for fields that are undefined there.
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

  /** Reads the form as a link. @param base values of fields without a control. */
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

  show(values: Values): void {
    const link = parametersOf(this.#fields.write(values, true));
    for (const name of this.#fields.names) {
      const text = link.get(name) ?? undefined;
      const control = this.#control(name);
      if (this.#own[name] !== undefined) this.#own[name].show(text);
      else if (control instanceof RadioNodeList)
        for (const box of boxesOf(control)) box.checked = text?.split(',').includes(box.value) ?? false;
      else if (control instanceof HTMLInputElement && control.type === 'checkbox')
        control.checked = text?.split(',').includes(control.value) ?? false;
      else if (control !== undefined) control.value = text ?? '';
    }
  }

  #textOf(name: string): string | undefined {
    const control = this.#control(name);
    if (!(control instanceof RadioNodeList)) return control?.value;
    return boxesOf(control)
      .flatMap(({ checked, value }) => (checked ? value : []))
      .join(',');
  }

  #control(name: string): Control | RadioNodeList | undefined {
    return (this.#form.elements.namedItem(name) ?? undefined) as Control | RadioNodeList | undefined;
  }
}

/** Returns the check boxes or radio buttons of one name. */
function boxesOf(group: RadioNodeList): HTMLInputElement[] {
  return [...group].filter((box) => box instanceof HTMLInputElement);
}
