type Attribute = string | number | undefined;

/** One SVG element as text; attributes that are undefined are left out, numbers are kept to a hundredth of a pixel. */
export function element(name: string, attributes: Readonly<Record<string, Attribute>>, ...children: string[]): string {
  const text = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? Math.round(value * 100) / 100 : escaped(value!)}"`)
    .join('');
  return children.length === 0 ? `<${name}${text}/>` : `<${name}${text}>${children.join('')}</${name}>`;
}

/** Text for between the tags or the quotes of SVG and HTML. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
