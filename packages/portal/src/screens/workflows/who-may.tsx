import { Badge, Select, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { useMay } from '../../parts/access/permit.ts';

type Explanation = AnswerOf<'explainWorkflow'>['explanation'];
type Verdict = Explanation['see'];

/** What one person may do with a workflow, and by which rule. */
export function WhoMay({ workflow }: { workflow: string }) {
  const [user, setUser] = useState<string | null>(null);
  const mayAskOthers = useMay('replaceWorkflow').isAllowed;
  const users = useRead('listUsers', { query: { fields: ['email'] } }, { isOn: mayAskOthers });
  const query = user === null ? {} : { user };
  const explained = useRead('explainWorkflow', { params: { identifier: workflow }, query });
  const emails = (users.data?.users ?? []).flatMap(({ email }) => (typeof email === 'string' ? [email] : []));
  return (
    <Stack gap="md">
      {mayAskOthers && (
        <Select
          label={t('What may')}
          placeholder={t('You')}
          maw={360}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('Ask about yourself') }}
          data={emails}
          value={user}
          onChange={setUser}
        />
      )}
      <Reading of={explained}>{({ explanation }) => <Verdicts explanation={explanation} />}</Reading>
    </Stack>
  );
}

function Verdicts({ explanation }: { explanation: Explanation }) {
  const { user, see, change, seeRuns, start, respond } = explanation;
  return (
    <>
      <Table.ScrollContainer minWidth={520}>
        <Table aria-label={t('What {user} may do', { user: user.identifier })}>
          <Table.Tbody>
            <Line what={t('See the workflow')} verdict={see} />
            <Line what={t('Change it')} verdict={change} />
            <Line what={t('See runs of others')} verdict={seeRuns} />
            {start.map((each) => (
              <Line
                key={`start ${each.nodeIdentifier}`}
                what={t('Start it by {form}', { form: each.title || each.nodeIdentifier })}
                verdict={each}
              />
            ))}
            {respond.map((each) => (
              <Line
                key={`respond ${each.nodeIdentifier}`}
                what={t('Respond at {step}', { step: each.title || each.nodeIdentifier })}
                verdict={each}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {start.length === 0 && <Text size="sm">{t('The workflow has no form, so nobody starts it by hand.')}</Text>}
    </>
  );
}

function Line({ what, verdict }: { what: string; verdict: Verdict }) {
  const look = {
    yes: { color: 'green', label: t('Yes') },
    no: { color: 'gray', label: t('No') },
    depends: { color: 'yellow', label: t('Depends') },
  }[verdict.allowed];
  return (
    <Table.Tr>
      <Table.Th scope="row">{what}</Table.Th>
      <Table.Td>
        <Badge variant="light" color={look.color}>
          {look.label}
        </Badge>
      </Table.Td>
      <Table.Td>{verdict.why}</Table.Td>
    </Table.Tr>
  );
}
