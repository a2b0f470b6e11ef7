import type { Run } from '../evaluate/run.ts';
import { copyChecked, fillTo, getValue, setValue, toArrayIndex } from './access.ts';
import { add } from './arithmetic.ts';
import { getKey, listKeys, type ObjectDraft, setKey } from './object.ts';
import { isObject, type JqValue } from './value.ts';

/**
 * Arrays and objects made by one update in progress, which nothing else can see yet: they are changed in place instead
 * of being copied for every path or item. This keeps `.[] |= f` and `reduce … (.; .[$k] += 1)` linear. A value passed
 * to an expression of the program is no longer owned.
 */
export class OwnedValues {
  private readonly owned = new Set<JqValue>();
  private readonly run: Run;
  /** The text made by the last `append`; nothing else holds it, so extending it costs only the added length. */
  private text: string | undefined;

  constructor(run: Run) {
    this.run = run;
  }

  /** `root` with the value at `keys` replaced by the result of `change`; `root` itself if that is undefined. */
  update(root: JqValue, keys: readonly JqValue[], change: (old: JqValue) => JqValue | undefined): JqValue {
    return this.updated(root, keys, change, 0) ?? root;
  }

  private updated(
    root: JqValue,
    keys: readonly JqValue[],
    change: (old: JqValue) => JqValue | undefined,
    at: number,
  ): JqValue | undefined {
    if (at === keys.length) {
      if (this.owned.has(root)) this.owned.clear();
      return change(root);
    }
    const { run } = this;
    const key = keys[at]!;
    run.step();
    if (typeof key === 'string' && (root === null || isObject(root))) {
      const next = this.updated(root === null ? null : (getKey(root, key) ?? null), keys, change, at + 1);
      if (next === undefined) return undefined;
      const draft = this.objectDraft(root);
      setKey(draft, key, next);
      return draft;
    }
    if (typeof key === 'number' && key >= 0 && (root === null || Array.isArray(root))) {
      const next = this.updated(getValue(run, root, key), keys, change, at + 1);
      if (next === undefined) return undefined;
      const draft = this.arrayDraft(root as JqValue[] | null);
      const index = toArrayIndex(run, draft, key);
      if (index > draft.length) run.checkArray(index + 1);
      fillTo(draft, index);
      draft[index] = next;
      return draft;
    }
    const next = this.updated(getValue(run, root, key), keys, change, at + 1);
    return next === undefined ? undefined : setValue(run, root, key, next);
  }

  /** `left + right`, appended in place if the left side is owned. */
  append(left: JqValue, right: JqValue): JqValue {
    const { run } = this;
    if (typeof left === 'string' && typeof right === 'string') return this.appendText(left, right);
    if (Array.isArray(left) && Array.isArray(right) && this.owned.has(left)) {
      const draft = left as JqValue[];
      if (draft.length + right.length > run.budget.arrayLengthMax) run.checkArray(draft.length + right.length);
      run.allocate(right.length * 8);
      run.spend(right.length);
      for (const item of right) draft.push(item);
      return draft;
    }
    if (isObject(left) && isObject(right) && this.owned.has(left)) {
      for (const key of listKeys(right)) {
        run.step();
        run.allocate(32);
        setKey(left as ObjectDraft, key, right[key]!);
      }
      return left;
    }
    const sum = add(run, left, right);
    if (typeof sum === 'object' && sum !== left && sum !== right) this.owned.add(sum);
    return sum;
  }

  private appendText(left: string, right: string): string {
    const { run } = this;
    const length = left.length + right.length;
    if (left.length === this.text?.length && left === this.text && length <= run.budget.stringLengthMax) {
      run.checkString(right.length);
    } else run.checkString(length);
    this.text = left + right;
    return this.text;
  }

  private objectDraft(root: JqValue): ObjectDraft {
    if (root !== null && this.owned.has(root)) {
      this.run.allocate(32);
      return root as ObjectDraft;
    }
    const draft = root === null ? {} : copyChecked(this.run, root as ObjectDraft);
    this.owned.add(draft);
    return draft;
  }

  private arrayDraft(root: JqValue[] | null): JqValue[] {
    if (root !== null && this.owned.has(root)) return root;
    this.run.checkArray(root?.length ?? 0);
    const draft = root === null ? [] : root.slice();
    this.owned.add(draft);
    return draft;
  }
}
