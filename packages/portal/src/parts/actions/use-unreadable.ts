import { useEffect, useState } from 'react';
import type { Issue } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';

const restMs = 300;

type Jq = typeof import('@portolan/jq');

/**
 * Expressions in a draft that jq cannot read, each with its path: the server stores them, but they evaluate to nothing.
 * `find` must be a stable function.
 */
export function useUnreadable<Draft>(draft: Draft, find: (jq: Jq, draft: Draft) => readonly Issue[]): readonly Issue[] {
  const [issues, setIssues] = useState<readonly Issue[]>([]);
  useEffect(() => {
    let isLatest = true;
    const look = async () => {
      const jq = await import('@portolan/jq');
      if (isLatest) setIssues(find(jq, draft));
    };
    const rest = setTimeout(() => void look(), restMs);
    return () => {
      isLatest = false;
      clearTimeout(rest);
    };
  }, [draft, find]);
  return issues;
}

/** Templates in a backend. */
export function unreadableBackend({ unreadableTemplates }: Jq, invocationMethod: object): readonly Issue[] {
  const found = unreadableTemplates(invocationMethod as Parameters<typeof unreadableTemplates>[0]);
  return found.map(({ path, message }) => ({ path: ['/invocationMethod', ...path].join('/'), message }));
}

/** Calculation properties of a blueprint. */
export function unreadableCalculations(
  { whyUnreadable }: Jq,
  calculations: Readonly<Record<string, { readonly calculation: string }>>,
): readonly Issue[] {
  return Object.entries(calculations).flatMap(([key, { calculation }]) => {
    const message = whyUnreadable(calculation);
    if (message === undefined) return [];
    return [{ path: `/calculationProperties/${key}/calculation`, message: t('No value: {message}', { message }) }];
  });
}
