/** All commands. Usage, help, completion, suggestions and docs/reference/cli.md read this table. */
import { applyCommands } from './apply-commands.ts';
import { backupCommands } from './backup-command.ts';
import { canaryCommands } from './canary-commands.ts';
import { cellCommands } from './cell-commands.ts';
import { certificatesCommand } from './certificate-commands.ts';
import type { Command } from './command.ts';
import { completionCommand } from './completion/completion-command.ts';
import { contentCommands } from './content-commands.ts';
import { discardCommand } from './discard-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { dkimCommand, domainCommands, domainExportCommand } from './domain-commands.ts';
import { eventCommands } from './event-commands.ts';
import { helpCommand } from './help-command.ts';
import { holdCommands } from './hold-commands.ts';
import { inboundCommands } from './inbound-commands.ts';
import { keyCommands } from './key-commands.ts';
import { listenCommand } from './listen/listen-command.ts';
import { mcpCommand } from './mcp-command.ts';
import { memberCommands } from './member-commands.ts';
import { migrateCommand } from './migrate-command.ts';
import { moveCommand } from './move-command.ts';
import { organizationCommands } from './organization-commands.ts';
import { verifyProofCommand } from './proof-command.ts';
import { queueCommands } from './queue-commands.ts';
import { recipientCommands } from './recipient-commands.ts';
import { restoreCommand } from './restore-command.ts';
import { secretCommands } from './secret-commands.ts';
import { sendCommand } from './send-command.ts';
import { setUpCommand } from './setup-command.ts';
import { startCommand } from './start-command.ts';
import { statusCommand } from './status-command.ts';
import { suppressionCommands } from './suppression-commands.ts';
import { templatesCommands } from './templates-commands.ts';
import { undoCommands } from './undo-commands.ts';
import { userCommands } from './user-commands.ts';
import { webhookCommands } from './webhook-commands.ts';

/** Commands below a heading of docs/reference/cli.md. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Start and upgrade',
    commands: [
      startCommand,
      setUpCommand,
      migrateCommand,
      completionCommand(() => COMMANDS),
      helpCommand(() => COMMANDS),
    ],
  },
  { title: 'Status and diagnosis', commands: [statusCommand, doctorCommand, certificatesCommand] },
  { title: 'Domains', commands: [...domainCommands, domainExportCommand, dkimCommand] },
  { title: 'API keys', commands: keyCommands },
  { title: 'Users', commands: [...userCommands, ...memberCommands] },
  { title: 'Organizations and cells', commands: [...organizationCommands, moveCommand, ...cellCommands] },
  { title: 'Configuration and templates as files', commands: [...applyCommands, ...templatesCommands] },
  {
    title: 'Send and look up mail',
    commands: [sendCommand, ...eventCommands, listenCommand, mcpCommand, verifyProofCommand],
  },
  { title: 'Suppressions', commands: suppressionCommands },
  { title: 'Webhooks', commands: webhookCommands },
  { title: 'Hold and undo', commands: [...holdCommands, ...undoCommands] },
  { title: 'The queue', commands: [...queueCommands, discardCommand] },
  { title: 'Canaries', commands: canaryCommands },
  { title: 'Received mail', commands: inboundCommands },
  { title: 'Backups and stored content', commands: [...backupCommands, restoreCommand, ...contentCommands] },
  { title: 'Secret keys', commands: secretCommands },
  { title: 'Personal data', commands: recipientCommands },
];

export const COMMANDS: readonly Command[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);
