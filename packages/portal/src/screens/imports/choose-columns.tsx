import { Alert, Button, Group, Radio, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import {
  type Column,
  encodings,
  guessColumns,
  keptColumns,
  type MadeBlueprint,
  makeBlueprint,
  openTable,
  profileColumns,
  type ReadOptions,
  slug,
  type TableBlueprint,
} from '@portolan/tables';
import { useEffect, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { ScrolledTable } from '../../kit/scrolled-table.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { plural, t } from '../../kit/translate.ts';
import { useAskForAccess } from '../../parts/access/ask-for-access.tsx';
import { useMay } from '../../parts/access/permit.ts';
import { BlueprintSelect } from '../../parts/blueprint-select.tsx';
import { ColumnRow } from './column-row.tsx';
import { findEntities } from './import-server.ts';
import { type ColumnChoice, findMissingChoice, type OpenedTable } from './import-steps.ts';
import classes from './imports.module.css';
import { readTitle } from './table-file.ts';

/** The second step: what the rows are, and what becomes of each column. */
export function ChooseColumns({
  opened,
  given,
  blueprint: wanted,
  kept,
  isBusy,
  onOpened,
  onBack,
  onChosen,
}: {
  opened: OpenedTable;
  /** What was chosen before, when a person comes back. */
  given: ColumnChoice | undefined;
  /** The blueprint that the address or the source names. */
  blueprint: string | undefined;
  /** The settings of the source whose file is uploaded again. */
  kept: Readonly<Record<string, unknown>> | undefined;
  isBusy: boolean;
  onOpened: (opened: OpenedTable) => void;
  onBack: () => void;
  onChosen: (choice: ColumnChoice) => void;
}) {
  const [made, setMade] = useState<MadeBlueprint | undefined>(
    given?.isNew ? (given.blueprint as MadeBlueprint) : undefined,
  );
  const [identifier, setIdentifier] = useState(given && !given.isNew ? given.blueprint.identifier : (wanted ?? ''));
  const [columns, setColumns] = useState<readonly Column[]>(given?.plan.columns ?? []);
  const [emptyCells, setEmptyCells] = useState(given?.plan.emptyCells ?? 'keep');
  const [missingTargets, setMissingTargets] = useState(given?.missingTargets ?? 'refuse');
  const [isReading, setReading] = useState(false);
  const blueprints = useRead('listBlueprints');
  const existing = blueprints.data?.blueprints.find((each) => each.identifier === identifier);
  const blueprint: TableBlueprint | undefined = made ?? existing;
  const { table, profiles, file } = opened;
  const mayCreate = useMay('createBlueprint');
  const ask = useAskForAccess();

  const makeOne = async () => {
    const { blueprint: one, columns: filling } = await makeBlueprint(readTitle(file.name), profiles);
    setMade(one);
    setColumns(filling);
  };
  // columns are guessed once it is known what the rows are
  const isUnguessed = !made && existing !== undefined && columns.length === 0;
  useEffect(() => {
    if (!isUnguessed || !existing) return;
    let isLatest = true;
    const keep = (guessed: readonly Column[]) => {
      if (isLatest) setColumns(kept ? keptColumns(kept, guessed) : guessed);
    };
    // without the right to search, headings alone are guessed by
    guessColumns(profiles, existing, findEntities).then(keep, () => guessColumns(profiles, existing).then(keep));
    return () => {
      isLatest = false;
    };
  }, [isUnguessed, existing, profiles, kept]);

  const isTaken = made !== undefined && blueprints.data?.blueprints.some((each) => each.identifier === made.identifier);
  const missing = isTaken
    ? t('There is a blueprint "{identifier}" already. Choose another title, or choose that blueprint.', {
        identifier: made.identifier,
      })
    : findMissingChoice(opened, columns, blueprint);
  return (
    <Stack gap="lg">
      <ReadAs opened={opened} onReading={setReading} onOpened={onOpened} />
      {table.notes.length > 0 && (
        <Alert color="yellow" title={t('About the headings')}>
          {table.notes.map((note) => (
            <div key={note}>{note}</div>
          ))}
        </Alert>
      )}
      {/* reading the file another way starts these over */}
      <fieldset className={classes.choices} disabled={isReading}>
        <Radio.Group
          label={t('What the rows are')}
          value={made ? 'new' : 'existing'}
          onChange={(kind) => {
            if (kind === 'new' && !mayCreate.isAllowed) return ask({ to: 'create blueprints', needs: mayCreate.needs });
            setColumns([]);
            if (kind === 'new') void makeOne();
            else setMade(undefined);
          }}
        >
          <Group mt={4}>
            <Radio value="existing" label={t('Entities of a blueprint')} />
            <Radio
              value="new"
              label={t('Make a blueprint from these columns')}
              {...(mayCreate.isAllowed
                ? {}
                : { 'aria-disabled': true, description: t('Needs {needs}', { needs: mayCreate.needs }) })}
            />
          </Group>
        </Radio.Group>
        {made ? (
          <TextInput
            label={t('Title of the blueprint')}
            maw={420}
            value={made.title}
            onChange={({ currentTarget }) => setMade(renamed(made, currentTarget.value))}
            description={t('Its identifier will be {identifier}.', { identifier: made.identifier })}
          />
        ) : (
          <div style={{ maxWidth: 420 }}>
            <BlueprintSelect
              label={t('Blueprint')}
              value={identifier}
              onChange={(next) => {
                setIdentifier(next);
                setColumns([]);
              }}
            />
          </div>
        )}
        {blueprint && columns.length > 0 && (
          <>
            <ScrolledTable label={t('Columns')} minWidth={760}>
              <Table.Thead>
                <Table.Tr>
                  {[t('Column'), t('Values'), t('Becomes'), t('As')].map((heading) => (
                    <Table.Th key={heading} scope="col">
                      {heading}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {columns.map((column, index) => (
                  <ColumnRow
                    key={column.heading}
                    table={table}
                    column={column}
                    profile={profiles[index]}
                    blueprint={blueprint}
                    onChange={(next) => setColumns(replaced(columns, index, next))}
                  />
                ))}
              </Table.Tbody>
            </ScrolledTable>
            <Group align="flex-start">
              <Select
                label={t('Empty cells')}
                data={[
                  { value: 'keep', label: t('leave what the entity has') },
                  { value: 'clear', label: t('clear what the entity has') },
                ]}
                value={emptyCells}
                allowDeselect={false}
                onChange={(next) => setEmptyCells(next === 'clear' ? 'clear' : 'keep')}
              />
              <Select
                label={t('Relations to what is not there')}
                data={[
                  { value: 'refuse', label: t('refuse the row') },
                  { value: 'create', label: t('create a bare entity') },
                  { value: 'omit', label: t('leave the relation empty') },
                ]}
                value={missingTargets}
                allowDeselect={false}
                onChange={(next) => setMissingTargets((next ?? 'refuse') as ColumnChoice['missingTargets'])}
              />
            </Group>
          </>
        )}
      </fieldset>
      {missing && (
        <Text size="sm" role="status">
          {missing}
        </Text>
      )}
      <Group>
        <Button
          disabled={missing !== undefined || columns.length === 0}
          loading={isBusy || isReading}
          onClick={() =>
            blueprint &&
            onChosen({ blueprint, isNew: made !== undefined, plan: { columns, emptyCells }, missingTargets })
          }
        >
          {made ? t('Create the blueprint and check the rows') : t('Check the rows')}
        </Button>
        <Button variant="default" onClick={onBack}>
          {t('Another file')}
        </Button>
      </Group>
    </Stack>
  );
}

/** How the file was read, and what to do if that is wrong. */
function ReadAs({
  opened,
  onReading,
  onOpened,
}: {
  opened: OpenedTable;
  onReading: (isReading: boolean) => void;
  onOpened: (opened: OpenedTable) => void;
}) {
  const { file, table } = opened;
  const { format } = table.options;
  const [problem, setProblem] = useState<string>();
  const read = async (change: Partial<ReadOptions>) => {
    onReading(true);
    try {
      const next = await openTable(file, { ...table.options, ...change });
      setProblem(undefined);
      onOpened({ file, table: next, profiles: profileColumns(next.columns, next.sample) });
    } catch (error) {
      setProblem((error as Error).message);
    } finally {
      onReading(false);
    }
  };
  const count = table.sample.length;
  const rows = table.isWhole ? plural(count, '{count} row', '{count} rows') : t('more than {count} rows', { count });
  return (
    <div>
      <Text>
        <Sentence
          text="<strong/>: {rows}, {count} columns."
          values={{ rows, count: table.columns.length }}
          parts={{ strong: <strong dir="auto">{file.name}</strong> }}
        />
      </Text>
      {format === 'xlsx' ? (
        <Select
          label={t('Sheet')}
          maw={420}
          data={[...(table.sheets ?? [])]}
          value={table.options.sheet ?? null}
          allowDeselect={false}
          onChange={(sheet) => sheet && void read({ sheet })}
        />
      ) : (
        <TextOptions options={table.options} onRead={(change) => void read(change)} />
      )}
      {problem && (
        <Alert color="red" role="alert" mt="xs">
          {problem}
        </Alert>
      )}
    </div>
  );
}

/** How the bytes of a text are read. */
function TextOptions({
  options: { format, encoding, delimiter },
  onRead,
}: {
  options: ReadOptions;
  onRead: (change: Partial<ReadOptions>) => void;
}) {
  return (
    <details>
      <summary>{t('Read as {word}', { word: format === 'ndjson' ? t('JSON lines') : format.toUpperCase() })}</summary>
      <Group align="flex-start">
        <Select
          label={t('Encoding')}
          data={encodings.map((each) => ({ value: each, label: each.toUpperCase() }))}
          value={encoding}
          allowDeselect={false}
          onChange={(next) => onRead({ encoding: (next ?? encoding) as ReadOptions['encoding'] })}
        />
        {format === 'csv' && (
          <Select
            label={t('Between cells')}
            data={[
              { value: ',', label: 'comma' },
              { value: ';', label: 'semicolon' },
              { value: '\t', label: 'tab' },
              { value: '|', label: 'bar' },
            ]}
            value={delimiter}
            allowDeselect={false}
            onChange={(next) => onRead({ delimiter: next ?? delimiter })}
          />
        )}
      </Group>
    </details>
  );
}

function renamed(made: MadeBlueprint, title: string): MadeBlueprint {
  const identifier = title.trim() === '' ? made.identifier : (slug(title) ?? made.identifier);
  return { ...made, title, identifier };
}

/** Two columns never lead to the same place: the one that was chosen last has it. */
function replaced(columns: readonly Column[], index: number, next: Column): Column[] {
  return columns.map((column, at) => {
    if (at === index) return next;
    return next.to !== null && column.to === next.to ? { ...column, to: null } : column;
  });
}
