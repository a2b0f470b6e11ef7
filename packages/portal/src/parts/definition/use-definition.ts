import { useState } from 'react';
import { t } from '../../kit/translate.ts';

/** The parsed draft, or why the text is not one. */
export type ReadDraft<Draft> = { readonly draft: Draft } | { readonly problem: string };

function definitionText(draft: unknown): string {
  return JSON.stringify(draft, null, 2);
}

/** A definition edited as a form and as JSON, kept in step. Invalid text stays as typed and blocks saving. */
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
    /** Changes whenever fields must drop their typed text. */
    round,
    isDirty: textProblem !== undefined || fields.size > 0 || definitionText(draft) !== definitionText(base),
    /** Unreadable text that blocks saving. */
    problem: textProblem === undefined ? wrong && `${wrong[0]} ${wrong[1]}` : t('The JSON has to be corrected first.'),
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
    /** Reports unreadable text in a field; undefined once it is readable. */
    tell: (field: string, said: string | undefined) =>
      setFields((before) => {
        if (before.get(field) === said) return before;
        const next = new Map(before);
        if (said === undefined) next.delete(field);
        else next.set(field, said);
        return next;
      }),
    /** Prepares switching to the other view; false if the JSON is invalid. Unreadable text in fields is dropped. */
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
