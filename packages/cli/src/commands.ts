import { askCommand } from './ask/ask.command.ts';
import { chatCommand } from './ask/chat.command.ts';
import { backupCommand } from './backup/backup.command.ts';
import { restoreCommand } from './backup/restore.command.ts';
import { budgetCommand } from './budget/budget.command.ts';
import type { Command } from './command.ts';
import { demoCommand } from './demo/demo.command.ts';
import { distributeCommand } from './distribute/distribute.command.ts';
import { doctorCommand } from './doctor/doctor.command.ts';
import { evalCommand } from './eval/eval.command.ts';
import { jqCommand } from './jq.command.ts';
import { memoryCommand } from './memory/memory.command.ts';
import { migrateCommand } from './migrate/migrate.command.ts';
import { reportCommand } from './migrate/report.command.ts';
import { migrateDataCommand } from './migrate-data/migrate-data.command.ts';
import { orgCommand } from './org/org.command.ts';
import { packCommand } from './pack/pack.command.ts';
import { sourceCommand } from './source/source.command.ts';
import { startCommand } from './start.command.ts';
import { exportCommand } from './transfer/export.command.ts';
import { importCommand } from './transfer/import.command.ts';
import { upgradeCommand } from './upgrade/upgrade.command.ts';
import { workflowCommand } from './workflow/workflow.command.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  askCommand,
  backupCommand,
  budgetCommand,
  chatCommand,
  demoCommand,
  distributeCommand,
  doctorCommand,
  evalCommand,
  exportCommand,
  importCommand,
  jqCommand,
  memoryCommand,
  migrateCommand,
  migrateDataCommand,
  orgCommand,
  packCommand,
  reportCommand,
  restoreCommand,
  sourceCommand,
  startCommand,
  upgradeCommand,
  workflowCommand,
];
