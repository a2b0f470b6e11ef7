import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../../api/query.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { AgentForm } from './agent-form.tsx';
import { bodyOf, emptyAgent } from './agent-values.ts';

export function Screen() {
  const create = useChange('createEntity', { staleAfter: ['listEntities'] });
  const navigate = useNavigate();
  const toast = useToast();
  return (
    <>
      <PageHeader
        title="New agent"
        description="It starts with reading tools alone, and nothing runs without approval."
      />
      <div style={{ maxWidth: 720 }}>
        <AgentForm
          initial={emptyAgent}
          verb="Create the agent"
          isBusy={create.isPending}
          error={create.error}
          onSave={(values) =>
            create.mutate(
              { params: { blueprint_identifier: '_ai_agent' }, body: bodyOf(values) },
              {
                onSuccess: ({ entity }) => {
                  toast('The agent was created');
                  void navigate({ to: `/ai/agents/${encodeURIComponent(entity?.identifier ?? '')}` });
                },
              },
            )
          }
        />
      </div>
    </>
  );
}
