import { z } from 'zod';

/** What a sentence of an answer rests on, as the server found by comparing it with what the invocation read. */
export const receiptStatuses = ['supported', 'linked', 'partly', 'unsupported', 'plain', 'hidden'] as const;

const unit = z
  .strictObject({
    start: z.number().int().describe('UTF-16 units from the start of `result.message`.'),
    end: z.number().int(),
    status: z
      .enum(receiptStatuses)
      .describe(
        '`supported`: the model named the records and every value stands in them; `linked`: the server found the record; `partly`: some values are missing in it; `unsupported`: no record that was read backs it; `plain`: nothing to check; `hidden`: it rests on a record that the reader may not read.',
      ),
    refs: z.array(z.string()).optional(),
    missing: z.array(z.string()).optional().describe('Words of the unit that do not stand in its records.'),
  })
  .meta({ id: 'ReceiptUnit' });
export type ReceiptUnit = z.output<typeof unit>;

const record = z
  .strictObject({
    kind: z
      .enum(['entity', 'person', 'team', 'figures', 'document', 'answer', 'hidden'])
      .describe('`figures`: numbers of a tool call; `answer`: the whole answer of a tool.'),
    blueprint: z.string().optional(),
    identifier: z.string().optional(),
    title: z.string().optional(),
    updatedAt: z.string().optional().describe('When it was changed last, as it was read.'),
    tool: z.string().optional(),
    call: z.string().optional().describe('The tool call that read it.'),
    invocation: z
      .string()
      .optional()
      .describe('The invocation that read it, if it was an earlier turn of the conversation.'),
    readAt: z.string().optional(),
    fields: z.array(z.string()).optional().describe('The fields that sentences rest on.'),
    values: z.record(z.string(), z.string()).optional().describe('Those fields as they were, shortened.'),
  })
  .meta({ id: 'ReceiptRecord' });
export type ReceiptRecord = z.output<typeof record>;

export const receipts = z
  .strictObject({
    version: z.literal(1),
    length: z
      .number()
      .int()
      .describe('UTF-16 units of the text that was checked, which is the end of everything that was said.'),
    coverage: z
      .number()
      .nullable()
      .describe('Share of the units with something to check that are backed; null if none has.'),
    invented: z.number().int().describe('Marks of the model that name no record.'),
    truncated: z
      .boolean()
      .optional()
      .describe('There was too much to check, or to send: units beyond are `plain` or left out.'),
    units: z.array(unit),
    records: z.record(z.string(), record),
  })
  .meta({ id: 'Receipts' });
export type Receipts = z.output<typeof receipts>;

/** The longest `receipts`, as JSON in UTF-8. */
export const receiptsBytesMax = 256 * 1024;

export const receiptsAnswer = z.object({ ok: z.literal(true), receipts });
