import { useState } from 'react';

/** The draft that a text means, or what keeps it from being one. */
export type ReadDraft<Draft> = { readonly draft: Draft } | { readonly problem: string };

function definitionText(draft: unknown): string {
  return JSON.stringify(draft, null, 2);
}

/**
 * A definition that is edited as a form and as JSON, which say the same. Text that is no definition stays as it is typed,
 * and nothing is saved until it is one.
 */
export function useDefinition<Draft>(base: Draft, read: (text: string) => ReadDraft<Draft>) {
  const [draft, setDraft] = useState(base);
  const [text, setText] = useState(() => definitionText(base));
  const [textProblem, setTextProblem] = useState<string>();
  const [fields, setFields] = useState<ReadonlyMap<string, string>>(new Map());
  const [round, setRound] = useState(0);
  const [wrong] = fields.entries();
  const begin = (next: Draft) => {
    setDraft(next);
    setText(definitionText(next));
    setTextProblem(undefined);
    setFields(new Map());
    setRound((before) => before + 1);
  };
  return {
    draft,
    text,
    textProblem,
    /** Differs whenever fields have to forget what was typed into them. */
    round,
    isDirty: textProblem !== undefined || fields.size > 0 || definitionText(draft) !== definitionText(base),
    /** What keeps it from being saved, as far as it cannot be read. */
    problem: textProblem === undefined ? wrong && `${wrong[0]} ${wrong[1]}` : 'The JSON has to be corrected first.',
    change: (next: Draft) => {
      setDraft(next);
      setText(definitionText(next));
    },
    write: (typed: string) => {
      setText(typed);
      const result = read(typed);
      setTextProblem('problem' in result ? result.problem : undefined);
      if ('draft' in result) setDraft(result.draft);
    },
    /** Told of text in a field that cannot be read, and when it can be again. */
    tell: (field: string, said: string | undefined) =>
      setFields((before) => {
        if (before.get(field) === said) return before;
        const next = new Map(before);
        if (said === undefined) next.delete(field);
        else next.set(field, said);
        return next;
      }),
    /** Before another view of it is shown: what cannot be read yet has none. */
    settle: (): boolean => {
      if (textProblem !== undefined) return false;
      setFields(new Map());
      setText(definitionText(draft));
      return true;
    },
    discard: () => begin(base),
    begin,
  };
}

export type Definition<Draft> = ReturnType<typeof useDefinition<Draft>>;
