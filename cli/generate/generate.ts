// Writes `docs/commands.md`; a part of `npm run generate`.
import { writeFileSync } from 'node:fs';
import { packageFile } from '../../spec/package-file.ts';
import { commandsPage } from './commands-page.ts';

writeFileSync(packageFile('docs/commands.md'), commandsPage());
