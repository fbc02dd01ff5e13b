// Runs one function in a process of its own, as the Node.js runtime of AWS Lambda would.
// It speaks JSON over the IPC channel: in `{type: 'invoke', …}`, out `ready`, `init-error`, `result`, `error`.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import Module, { isBuiltin, registerHooks } from 'node:module';
import { extname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { types } from 'node:util';
import { Worker } from 'node:worker_threads';

const root = realpathSync(process.env.LAMBDA_TASK_ROOT) + sep;
let current;

function send(message, then = () => {}) {
  if (process.connected) process.send(message, then);
}

function shape(error) {
  if (types.isNativeError(error) || error instanceof Error) {
    return {
      errorType: error.name,
      errorMessage: error.message,
      trace: String(error.stack ?? '').split('\n'),
    };
  }
  return { errorType: typeof error, errorMessage: String(error), trace: [] };
}

function named(errorType, error) {
  return { ...shape(error), errorType };
}

/** What the function may import is its own bundle and Node itself, as in the cloud. */
function stayInsideBundle() {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (isBuiltin(found.url) || found.url.startsWith('node:') || found.url.startsWith('data:'))
        return found;
      if (realpathSync(fileURLToPath(found.url)).startsWith(root)) return found;
      const error = new Error(`Cannot find package '${specifier}': it is not in the function's bundle`);
      error.code = 'ERR_MODULE_NOT_FOUND';
      throw error;
    },
  });
}

/** A `.js` file is CommonJS unless the bundle itself says otherwise; the project around it has no say. */
async function load(file) {
  if (extname(file) !== '.js' || existsSync(join(root, 'package.json')))
    return import(pathToFileURL(file).href);
  const module = new Module(file);
  module.filename = file;
  module._compile(readFileSync(file, 'utf8'), file, 'commonjs');
  return module.exports;
}

async function loadHandler() {
  const spec = process.env._HANDLER;
  const dot = spec.lastIndexOf('.');
  const base = join(root, spec.slice(0, dot));
  const exportName = spec.slice(dot + 1);
  const file = ['.mjs', '.js', '.cjs'].map((extension) => base + extension).find((each) => existsSync(each));
  if (!file)
    throw Object.assign(new Error(`Error: Cannot find module '${spec.slice(0, dot)}'`), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
  const module = await load(file);
  const handler = module[exportName] ?? module.default?.[exportName];
  if (handler === undefined) {
    throw Object.assign(new Error(`${spec} is undefined or not exported`), {
      lambdaType: 'Runtime.HandlerNotFound',
    });
  }
  if (typeof handler !== 'function') {
    throw Object.assign(new Error(`${spec} is not a function`), { lambdaType: 'Runtime.HandlerNotFunction' });
  }
  return handler;
}

function initErrorType(error) {
  if (error?.lambdaType) return error.lambdaType;
  if (error?.code === 'ERR_MODULE_NOT_FOUND' || error?.code === 'MODULE_NOT_FOUND')
    return 'Runtime.ImportModuleError';
  if (error instanceof SyntaxError) return 'Runtime.UserCodeSyntaxError';
  return undefined;
}

async function invoke(handler, message) {
  process.env._X_AMZN_TRACE_ID = message.traceId;
  current = message.requestId;
  const context = {
    callbackWaitsForEmptyEventLoop: false,
    functionVersion: '$LATEST',
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    invokedFunctionArn: message.functionArn,
    awsRequestId: message.requestId,
    getRemainingTimeInMillis: () => Math.max(0, message.deadline - Date.now()),
  };
  let answer;
  try {
    const result = await handler(message.event, context);
    answer = { type: 'result', requestId: message.requestId, body: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    console.error('Invoke Error', JSON.stringify(shape(error)));
    answer = { type: 'error', requestId: message.requestId, error: shape(error) };
  }
  current = undefined;
  send(answer);
}

function dieWith(errorType, error) {
  console.error(errorType, JSON.stringify(shape(error)));
  if (current === undefined) process.exit(129);
  send({ type: 'fatal', requestId: current, error: named(errorType, error) }, () => process.exit(129));
}

process.on('disconnect', () => process.exit(0));
process.on('uncaughtException', (error) => dieWith(types.isNativeError(error) ? error.name : 'Error', error));
process.on('unhandledRejection', (reason) => dieWith('Runtime.UnhandledPromiseRejection', reason));
// The engine asks for nothing by signal but SIGKILL; a Ctrl-C in its terminal is the engine's to handle.
process.on('SIGINT', () => {});

// A busy loop in the handler would never see the disconnect. This thread holds the other end of a pipe that closes
// when the engine is gone, however it went.
new Worker(
  `import { Socket } from 'node:net';
   const engine = new Socket({ fd: 0, readable: true, writable: false });
   engine.on('close', () => process.kill(process.pid, 'SIGKILL'));
   engine.resume();`,
  { eval: true, stdin: false, execArgv: ['--input-type=module'], env: {} },
).unref();

stayInsideBundle();
try {
  const handler = await loadHandler();
  process.on('message', (message) => void invoke(handler, message));
  send({ type: 'ready' });
} catch (error) {
  const errorType = initErrorType(error);
  const answer = errorType ? named(errorType, error) : shape(error);
  console.error(answer.errorType, JSON.stringify(answer));
  send({ type: 'init-error', error: answer }, () => process.exit(1));
}
