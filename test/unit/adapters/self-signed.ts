import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate for `localhost` that nobody vouches for, made afresh so that no key lies in the repository. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const algorithm = sequence(oid(0x2b, 0x65, 0x70));
  const name = sequence(set(sequence(oid(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from('localhost')))));
  const validity = sequence(time('200101000000Z'), time('491231235959Z'));
  const altName = sequence(
    oid(0x55, 0x1d, 0x11),
    tagged(0x04, sequence(tagged(0x82, Buffer.from('localhost')))),
  );
  const body = sequence(
    tagged(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(altName)),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign(null, body, privateKey)]);
  const der = sequence(body, algorithm, tagged(0x03, signature));
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => tagged(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]) => tagged(0x31, Buffer.concat(parts));
const oid = (...bytes: number[]) => tagged(0x06, Buffer.from(bytes));
const integer = (value: number) => tagged(0x02, Buffer.from([value]));
const time = (text: string) => tagged(0x17, Buffer.from(text));
