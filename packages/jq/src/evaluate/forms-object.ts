import type { Expression, ExpressionOf, ObjectEntry } from '../syntax/ast.ts';
import { getValue } from '../value/access.ts';
import { copyObject, type ObjectDraft, setKey } from '../value/object.ts';
import type { JqValue } from '../value/value.ts';
import type { Compiler, NodeForms } from './compiler.ts';
import type { Each, Emit, Single } from './filter.ts';
import { requireKey } from './forms-basic.ts';
import type { Run, Scope } from './run.ts';
import type { StaticScope } from './static-scope.ts';

type ObjectExpression = ExpressionOf<'object'>;

/** The meaning of an entry's key and value: `{a}` reads `.a`, `{$a}` is `a: $a`, `{$a: 1}` takes the key from `$a`. */
interface Entry {
  readonly key: Expression | string;
  readonly value: Expression | null;
}

function toEntry(entry: ObjectEntry): Entry {
  const { key, value, form } = entry;
  if (form === 'variable' && value === null) {
    const name = key.kind === 'variable' ? key.name : '__loc__';
    return { key: name, value: key };
  }
  const [only] = key.kind === 'string' ? key.parts : [];
  if (key.kind === 'string' && key.parts.length < 2 && typeof (only ?? '') === 'string') {
    return { key: (only as string | undefined) ?? '', value };
  }
  return { key, value };
}

export const object: NodeForms<ObjectExpression> = {
  isSingle: (compiler, node, scope) =>
    node.entries.every(
      ({ key, value }) => compiler.isSingle(key, scope) && (value === null || compiler.isSingle(value, scope)),
    ),
  single: (compiler, node, scope) => {
    const entries = node.entries.map((entry) => singleEntry(compiler, toEntry(entry), scope));
    const count = entries.length;
    return (run, cells, input) => {
      const draft: ObjectDraft = {};
      for (let at = 0; at < count; at++) entries[at]!(run, cells, input, draft);
      return draft;
    };
  },
  each: (compiler, node, scope) => {
    const entries = node.entries.map((entry) => eachEntry(compiler, toEntry(entry), scope));
    return (run, cells, input, emit) => {
      const visit = (at: number, draft: ObjectDraft): void => {
        if (at === entries.length) return emit(draft);
        entries[at]!(run, cells, input, (key, value) => {
          run.step();
          const next = copyObject(draft);
          setKey(next, key, value);
          visit(at + 1, next);
        });
      };
      visit(0, {});
    };
  },
};

type SingleEntry = (run: Run, cells: Scope | null, input: JqValue, draft: ObjectDraft) => void;

function singleEntry(compiler: Compiler, entry: Entry, scope: StaticScope | null): SingleEntry {
  const { key } = entry;
  if (typeof key === 'string') {
    const value = entry.value === null ? fieldReader(key) : compiler.single(entry.value, scope);
    return (run, cells, input, draft) => setKey(draft, key, value(run, cells, input));
  }
  const name = compiler.single(key, scope);
  const value = entry.value === null ? undefined : compiler.single(entry.value, scope);
  return (run, cells, input, draft) => {
    const text = requireKey(name(run, cells, input));
    setKey(draft, text, value === undefined ? getValue(run, input, text) : value(run, cells, input));
  };
}

function fieldReader(key: string): Single {
  return (run, _cells, input) => getValue(run, input, key);
}

type EachEntry = (run: Run, cells: Scope | null, input: JqValue, emit: (key: string, value: JqValue) => void) => void;

function eachEntry(compiler: Compiler, entry: Entry, scope: StaticScope | null): EachEntry {
  const { key } = entry;
  const eachKey: Each =
    typeof key === 'string' ? (_run, _cells, _input, emit: Emit) => emit(key) : compiler.each(key, scope);
  const eachValue = entry.value === null ? undefined : compiler.each(entry.value, scope);
  return (run, cells, input, emit) => {
    eachKey(run, cells, input, (name) => {
      const text = requireKey(name);
      if (eachValue === undefined) emit(text, getValue(run, input, text));
      else eachValue(run, cells, input, (value) => emit(text, value));
    });
  };
}
