import { useNavigate } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/api.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';

type CaseEntity = AnswerOf<'listEntities'>['entities'][number];

/** Every case that the user may see. */
export function CaseList({ cases }: { cases: readonly CaseEntity[] }) {
  const navigate = useNavigate();
  if (cases.length === 0) {
    return (
      <EmptyState
        title={t('There is no case yet')}
        action={<ButtonLink to="/ai/new-case">{t('Add the first case')}</ButtonLink>}
      >
        {t('A case is a question with what is expected of its answer. Any past invocation can be kept as one.')}
      </EmptyState>
    );
  }
  return (
    <DataTable
      label={t('Cases')}
      columns={columns}
      rows={cases}
      keyOf={({ identifier }) => identifier ?? ''}
      onOpen={({ identifier }) => void navigate({ to: '/ai/cases/$case', params: { case: identifier ?? '' } })}
      total={{ count: cases.length, isExact: true }}
    />
  );
}

const columns: Column<CaseEntity>[] = [
  {
    key: 'case',
    title: t('Case'),
    width: 240,
    cell: ({ identifier = '', title }) => (
      <AnchorLink to="/ai/cases/$case" params={{ case: identifier }} title={identifier}>
        {title || identifier}
      </AnchorLink>
    ),
  },
  {
    key: 'question',
    title: t('Question'),
    width: 380,
    cell: ({ properties }) => <span dir="auto">{String(properties?.['question'] ?? '')}</span>,
  },
  { key: 'graders', title: t('Graders'), width: 220, cell: ({ properties }) => listGraders(properties?.['expect']) },
  {
    key: 'agent',
    title: t('Asked'),
    width: 160,
    cell: ({ relations }) => (typeof relations?.['agent'] === 'string' ? relations['agent'] : t('Assistant')),
  },
  {
    key: 'tags',
    title: t('Tags'),
    width: 160,
    cell: ({ properties }) => (Array.isArray(properties?.['tags']) ? properties['tags'].join(', ') : ''),
  },
];

function listGraders(expect: unknown): string {
  if (!Array.isArray(expect)) return '';
  return expect.map((each) => String((each as { grader?: unknown } | null)?.grader ?? '?')).join(', ');
}
