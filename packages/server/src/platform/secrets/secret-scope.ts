import { JsonText } from '../db/json.ts';
import { createMatcher, type Matcher, type TextStream } from './matcher.ts';
import { secretForms } from './secret-forms.ts';

export const mask = '******';

/**
 * The secrets opened for one piece of work, such as a delivery or request. Whatever stores or shows something of the
 * work masks them.
 */
export interface SecretScope {
  add(value: string): void;
  /** Whether there is nothing to mask. */
  readonly isEmpty: boolean;
  /** The text with all forms of the secrets masked. */
  maskText(text: string): string;
  /** The same for text in parts; only secrets added before are masked. */
  maskStream(): TextStream;
  /** A copy with secrets masked, in keys too; the value itself without secrets. */
  mask<Value>(value: Value): Value;
}

/** Beyond this many characters of secrets, the whole text is masked. */
const charactersMax = 512 * 1024;
/** Deeper values are not searched but masked. */
const depthMax = 500;

export function createSecretScope(): SecretScope {
  return new Scope();
}

class Scope implements SecretScope {
  readonly #values = new Set<string>();
  #characters = 0;
  #matcher: Matcher | undefined;

  add(value: string): void {
    if (this.#values.has(value)) return;
    this.#values.add(value);
    this.#characters += value.length;
    this.#matcher = undefined;
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  maskText(text: string): string {
    if (this.isEmpty || text === '') return text;
    return this.#searched()?.replace(text, mask) ?? mask;
  }

  maskStream(): TextStream {
    if (this.isEmpty) return { push: (part) => part, end: () => '' };
    return this.#searched()?.stream(mask) ?? { push: () => '', end: () => mask };
  }

  mask<Value>(value: Value): Value {
    return this.isEmpty ? value : (this.#masked(value, 0) as Value);
  }

  /** Actors are sometimes stored as JSON; their secrets never are. */
  toJSON(): undefined {
    return undefined;
  }

  /** Undefined beyond `charactersMax`. */
  #searched(): Matcher | undefined {
    if (this.#characters > charactersMax) return undefined;
    this.#matcher ??= createMatcher(new Set([...this.#values].flatMap((value) => [...secretForms(value)])));
    return this.#matcher;
  }

  #masked(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.maskText(value);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (depth > depthMax) return mask;
    if (value instanceof JsonText) return new JsonText(JSON.stringify(this.#masked(JSON.parse(value.text), depth)));
    if (Array.isArray(value)) return value.map((item) => this.#masked(item, depth + 1));
    const entries = Object.entries(value).map(([key, item]) => [this.maskText(key), this.#masked(item, depth + 1)]);
    return Object.fromEntries(entries);
  }
}
