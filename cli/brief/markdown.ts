import type { RouteSettings } from '../../functions/domain/route.ts';
import { type BriefContext, type Section, sectionsOf } from './answers.ts';
import {
  assumptionsOf,
  type BriefContract,
  type BriefSecret,
  CONTRACT_HEAD,
  contractRow,
  contractsOf,
  secretsOf,
  sourcesOf,
} from './contracts.ts';

/** Everything that an integration owner asks of a route, answered. */
export interface Brief {
  readonly route: string;
  readonly sections: readonly Section[];
  readonly contracts: readonly BriefContract[];
  readonly secrets: readonly BriefSecret[];
  readonly assumptions: readonly string[];
}

export function briefOf(route: RouteSettings, context: BriefContext): Brief {
  return {
    route: route.name,
    sections: sectionsOf(route, context),
    contracts: contractsOf(route, context),
    secrets: secretsOf(route, context),
    assumptions: assumptionsOf(route, context),
  };
}

/** A brief as a page in Markdown. */
export function briefPage(brief: Brief, { stage }: BriefContext): string {
  const { route, sections, contracts, secrets, assumptions } = brief;
  return [
    `# Route ${route}: the brief`,
    `What route \`${route}\` does with a lead in stage \`${stage}\`, printed from the route file and the code: \`npx handoff brief ${route} --stage ${stage}\`.`,
    ...sections.map(sectionText),
    [
      '## What the receivers promise',
      table(CONTRACT_HEAD, contracts.map(contractRow)),
      'The landing bound is how long a request that was given up on may still take effect. An identity is `<route>/<lead request id>/<action>`, and the same for every attempt.',
    ].join('\n\n'),
    ['## Which secrets it needs', list(secrets.map(({ name, holds }) => `\`${name}\`: ${holds}`))].join(
      '\n\n',
    ),
    ['## What is assumed', list(assumptions)].join('\n\n'),
    ['## Sources', list(sourcesOf(contracts).map((url) => `<${url}>`))].join('\n\n'),
  ].join('\n\n');
}

function sectionText({ title, answers }: Section): string {
  return [`## ${title}`, ...answers.map(({ question, answer }) => `**${question}**\n\n${answer}`)].join(
    '\n\n',
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
