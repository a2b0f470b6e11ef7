import { useNavigate } from '@tanstack/react-router';
import { call } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { AgentForm } from './agent-form.tsx';
import { emptyAgent, toAgentBody } from './agent-values.ts';

export function Screen() {
  const navigate = useNavigate();
  const { permits } = useOffers('_ai_agent');
  return (
    <>
      <PageHeader
        title={t('New agent')}
        description={t('A new agent can only read, and nothing runs without approval.')}
      />
      <div style={{ maxWidth: 720 }}>
        <ReadOnly permit={permits.register} to={t('create agents')}>
          <AgentForm
            initial={emptyAgent}
            verb={t('Create the agent')}
            done={t('The agent was created')}
            send={(values) =>
              call('createEntity', {
                params: { blueprint_identifier: '_ai_agent' },
                body: toAgentBody(values),
              })
            }
            onSaved={({ entity }) =>
              void navigate({ to: '/ai/agents/$agent', params: { agent: entity?.identifier ?? '' } })
            }
          />
        </ReadOnly>
      </div>
    </>
  );
}
