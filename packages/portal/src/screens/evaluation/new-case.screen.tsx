import { useNavigate } from '@tanstack/react-router';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { CaseForm, type CaseValues, emptyCase } from './case-form.tsx';
import { caseParams } from './evaluation-reads.ts';

/** A new case, from nothing or from a question that was asked. */
export function Screen() {
  const [from] = useUrlState('/ai/new-case', 'from');
  return (
    <>
      <PageHeader
        title={t('New case')}
        description={t('A question with what is expected of its answer')}
        trail={[{ to: '/ai/evaluation', label: t('Evaluation') }]}
      />
      {typeof from === 'string' ? <FromInvocation id={from} /> : <NewCase initial={emptyCase} />}
    </>
  );
}

function FromInvocation({ id }: { id: string }) {
  const read = useRead('getInvocationEvidence', { params: { invocation_identifier: id } });
  return <Reading of={read}>{({ evidence }) => <NewCase initial={toValues(evidence)} />}</Reading>;
}

/** What was asked, and that nothing is executed; what is right only the person knows who keeps it. */
export function toValues({ invocation }: AnswerOf<'getInvocationEvidence'>['evidence']): CaseValues {
  const expect = [
    { grader: 'contains', all: [t('write here what the answer has to say')] },
    { grader: 'nothing_executed' },
  ];
  return {
    ...emptyCase,
    question: invocation.prompt,
    agent: invocation.agent ?? '',
    expect: JSON.stringify(expect, null, 2),
  };
}

function NewCase({ initial }: { initial: CaseValues }) {
  const navigate = useNavigate();
  const { permits } = useOffers('ai_eval_case');
  return (
    <ReadOnly permit={permits.register} to={t('add cases')}>
      <CaseForm
        initial={initial}
        isNew
        verb={t('Add the case')}
        send={(body) => call('createEntity', { params: caseParams, body: body as never })}
        onSaved={() => void navigate({ to: '/ai/evaluation', search: { view: 'cases' } })}
      />
    </ReadOnly>
  );
}
