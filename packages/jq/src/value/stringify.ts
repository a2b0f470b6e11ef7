import { JqBudgetError } from '../errors.ts';
import type { Meter } from './compare.ts';
import { formatNumber } from './number.ts';
import { listKeys } from './object.ts';
import { wellFormed } from './text.ts';
import type { JqValue } from './value.ts';

/**
 * The compact JSON text that jq prints for a value: keys in insertion order, numbers by {@link formatNumber}, lone
 * surrogates as U+FFFD. Throws `JqBudgetError` ("stringLength") once the text exceeds `lengthMax` units. Calls `meter`
 * for every value written.
 */
export function stringify(value: JqValue, lengthMax = Number.MAX_SAFE_INTEGER, meter?: Meter): string {
  const writer: Writer = { text: '', lengthMax, meter };
  write(writer, value);
  return writer.text;
}

export function quote(text: string): string {
  const quoted = JSON.stringify(text);
  const printed = quoted.includes('\\ud') ? JSON.stringify(wellFormed(text)) : quoted;
  return printed.includes('\x7f') ? printed.replaceAll('\x7f', '\\u007f') : printed;
}

interface Writer {
  text: string;
  readonly lengthMax: number;
  readonly meter: Meter | undefined;
}

function write(writer: Writer, value: JqValue): void {
  writer.meter?.step();
  switch (typeof value) {
    case 'string':
      writer.text += quote(value);
      break;
    case 'number':
      writer.text += formatNumber(value);
      break;
    case 'boolean':
      writer.text += value ? 'true' : 'false';
      break;
    default:
      if (value === null || value === undefined) writer.text += 'null';
      else if (Array.isArray(value)) writeArray(writer, value);
      else writeObject(writer, value as Record<string, JqValue>);
  }
  if (writer.text.length > writer.lengthMax) throw new JqBudgetError('stringLength', writer.lengthMax);
}

function writeArray(writer: Writer, array: readonly JqValue[]): void {
  writer.text += '[';
  for (let index = 0; index < array.length; index++) {
    if (index > 0) writer.text += ',';
    write(writer, array[index]!);
  }
  writer.text += ']';
}

function writeObject(writer: Writer, object: Record<string, JqValue>): void {
  writer.text += '{';
  let separator = '';
  for (const key of listKeys(object)) {
    writer.text += `${separator}${quote(key)}:`;
    separator = ',';
    write(writer, object[key]!);
  }
  writer.text += '}';
}

/** The start of a value's JSON text as in jq's messages: all of it up to `bytesMax`, else a prefix and dots. */
export function shorten(value: JqValue, bytesMax = 14): string {
  const text = previewStart(value);
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= bytesMax) return text;
  return `${new TextDecoder().decode(bytes.subarray(0, bytesMax - 3))}...`;
}

/** Prints only as much as `shorten` can need, however large the value is. */
function previewStart(value: JqValue): string {
  if (typeof value === 'string') return quote(value.length > 32 ? value.slice(0, 32) : value);
  if (typeof value !== 'object' || value === null) return stringify(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  let separator = '';
  for (const key of isList ? value.slice(0, 20).keys() : listKeys(value as Record<string, JqValue>)) {
    if (text.length > 32) return text;
    const label = isList ? '' : `${previewStart(String(key))}:`;
    text += `${separator}${label}${previewStart((value as Record<string, JqValue>)[key]!)}`;
    separator = ',';
  }
  return text + (isList ? ']' : '}');
}
