import { Alert, Group, Stack, Tabs, Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { Block } from '../../kit/block.tsx';
import { CopyValue } from '../../kit/copy-value.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import classes from './integrations.module.css';

type Install = AnswerOf<'getInstall'>['install'];

/** What is run, and where: one exact text for each place, and the variables that all of them take. */
export function InstallCommands({
  install: { commands, variables },
  secret,
}: {
  install: Install;
  secret: string | undefined;
}) {
  const [way = commands[0]?.way ?? '', setWay] = useUrlState('/builder/sources/add/$type', 'way');
  const exports = variables
    .map(
      ({ name, holds }) =>
        `export ${name}='${name === variables[0]?.name && secret !== undefined ? secret : `<${holds.toLowerCase()}>`}'`,
    )
    .join('\n');
  return (
    <Block title={t('3. Where it runs')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('Secrets first: in a shell these lines, in a pipeline its secret variables of the same names.')}
        </Text>
        <Command label={t('Secrets')} text={exports} />
        <Tabs value={way} onChange={(next) => setWay(next ?? undefined)} keepMounted={false}>
          <Tabs.List mb="sm">
            {commands.map((each) => (
              <Tabs.Tab key={each.way} value={each.way}>
                {each.title}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {commands.map((each) => (
            <Tabs.Panel key={each.way} value={each.way}>
              {each.warning && (
                <Alert color="yellow" mb="sm">
                  {each.warning}
                </Alert>
              )}
              {each.file && (
                <Text size="sm" mb="xs">
                  <Sentence text="Save as <code/>" parts={{ code: <code>{each.file}</code> }} />
                </Text>
              )}
              <Command label={each.title} text={each.text} />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Stack>
    </Block>
  );
}

function Command({ label, text }: { label: string; text: string }) {
  return (
    <Group component="section" aria-label={label} align="flex-start" wrap="nowrap" gap="xs">
      <pre className={classes.command}>{text}</pre>
      <CopyValue value={text} what={t('the text for {label}', { label })} />
    </Group>
  );
}
