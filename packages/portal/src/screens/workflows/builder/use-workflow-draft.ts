import { useRef, useState } from 'react';
import { t } from '../../../kit/translate.ts';
import type { Definition } from '../document/definition.ts';
import { readDefinition } from '../document/faults.ts';

const stepsMax = 200;
/** What is typed in one field within this time is undone in one step. */
const typingMs = 1500;

interface State {
  readonly past: readonly Definition[];
  readonly draft: Definition;
  readonly future: readonly Definition[];
  readonly text: string;
  readonly textProblem: string | undefined;
}

const written = (draft: Definition): string => JSON.stringify(draft, null, 2);

const begin = (draft: Definition): State => ({
  past: [],
  draft,
  future: [],
  text: written(draft),
  textProblem: undefined,
});

/** A workflow that is edited as list, canvas, forms and JSON: one document with one history. */
export function useWorkflowDraft(base: Definition) {
  const [state, setState] = useState(() => begin(base));
  const [fields, setFields] = useState<ReadonlyMap<string, string>>(new Map());
  const [round, setRound] = useState(0);
  const last = useRef<{ at: number; field: string | undefined }>({ at: 0, field: undefined });
  const { draft, past, future, textProblem } = state;
  const [wrong] = fields.entries();

  const put = (next: Definition, text: string | undefined, field?: string) =>
    setState((before) => {
      if (next === before.draft) return text === undefined ? before : { ...before, text, textProblem: undefined };
      const now = Date.now();
      const goesOn = field !== undefined && last.current.field === field && now - last.current.at < typingMs;
      last.current = { at: now, field };
      return {
        past: goesOn ? before.past : [...before.past.slice(-stepsMax), before.draft],
        draft: next,
        future: [],
        text: text ?? written(next),
        textProblem: undefined,
      };
    });
  const move = (by: 'undo' | 'redo') => {
    const taken = by === 'undo' ? past.at(-1) : future[0];
    if (!taken) return;
    last.current = { at: 0, field: undefined };
    setState(
      by === 'undo'
        ? { ...begin(taken), past: past.slice(0, -1), future: [draft, ...future] }
        : { ...begin(taken), past: [...past, draft], future: future.slice(1) },
    );
    setFields(new Map());
    setRound((before) => before + 1);
  };
  const restart = (from: Definition) => {
    setState(begin(from));
    setFields(new Map());
    setRound((before) => before + 1);
  };
  return {
    draft,
    text: state.text,
    textProblem,
    /** Changes whenever fields must drop what was typed in them. */
    round,
    isDirty: textProblem !== undefined || fields.size > 0 || written(draft) !== written(base),
    problem: textProblem === undefined ? wrong && `${wrong[0]} ${wrong[1]}` : t('The JSON has to be corrected first.'),
    canUndo: past.length > 0,
    canRedo: future.length > 0,
    /** `field` names what is typed in, so that its key presses are one step of the history. */
    change: (next: Definition, field?: string) => put(next, undefined, field),
    write: (typed: string) => {
      const result = readDefinition(typed);
      if ('draft' in result) put(result.draft, typed, 'JSON');
      else setState((before) => ({ ...before, text: typed, textProblem: result.problem }));
    },
    /** Reports unreadable text in a field; undefined once it is readable. */
    tell: (field: string, said: string | undefined) =>
      setFields((before) => {
        if (before.get(field) === said) return before;
        const next = new Map(before);
        if (said === undefined) next.delete(field);
        else next.set(field, said);
        return next;
      }),
    undo: () => move('undo'),
    redo: () => move('redo'),
    discard: () => restart(base),
    begin: restart,
  };
}

export type WorkflowDraft = ReturnType<typeof useWorkflowDraft>;
