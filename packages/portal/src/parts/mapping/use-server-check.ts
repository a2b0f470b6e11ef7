import { useState } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import type { MappingPart } from './mapping-document.ts';
import type { SampleEvent } from './trial-messages.ts';

export type ServerResult = AnswerOf<'testMapping'>['results'][number];

interface ServerAnswer {
  readonly parts: readonly MappingPart[];
  readonly results: ReadonlyMap<MappingPart, ServerResult>;
}

/** Asks the server for a mapping's result and the catalog's issues, without writing anything. */
export function useServerCheck() {
  const [answered, setAnswered] = useState<ServerAnswer>();
  const [error, setError] = useState<Error>();
  const [isPending, setPending] = useState(false);
  const ask = async (parts: readonly MappingPart[], sample: SampleEvent) => {
    setPending(true);
    setError(undefined);
    try {
      const asked = new Map<MappingPart['asked'], Promise<AnswerOf<'testMapping'>>>();
      const results = new Map<MappingPart, ServerResult>();
      for (const part of parts) {
        const { asked: mapping, answer } = part;
        const answers =
          asked.get(mapping) ??
          call('testMapping', { body: { mapping, examples: [sample as Record<string, unknown>] } });
        asked.set(mapping, answers);
        const result = (await answers).results[answer];
        if (result) results.set(part, result);
      }
      setAnswered({ parts, results });
    } catch (failure) {
      setAnswered(undefined);
      setError(failure as Error);
    } finally {
      setPending(false);
    }
  };
  const refused = [...(answered?.results.values() ?? [])].flatMap((result) => result.refused ?? []);
  const said =
    answered && (refused.length === 0 ? t('The server would accept it.') : t('The catalog would refuse some of it.'));
  return { ask, isPending, error, said, answerOf: (part: MappingPart) => answered?.results.get(part) };
}
