import { useState } from "react";
import { Button, CommandLine } from "@/components/ui/button";
import { CheckField, Segmented } from "@/components/ui/field";
import { Remaining } from "@/components/ui/time";
import { useViewLink } from "@/lib/client/address/address-writes";
import { basePath } from "@/lib/client/address/base-path";
import { ApiError } from "@/lib/client/connection/api-error";
import { usePreferences } from "@/lib/client/preferences";
import type { SessionId } from "@/lib/wire/ids";
import { type CreatedShare, LEFT_OUT, type LeftOut, SHARE_TIMES, type ShareAddress } from "@/lib/wire/shares";
import { LinkLine } from "./own-link";
import { QrCode } from "./qr-code";
import { RedactionPreview } from "./redaction-preview";
import {
  describeAddress,
  formatWithout,
  isReadable,
  placeOfLink,
  shareLink,
  tunnelCommand,
} from "./share-link";
import { useCreateShare, useShares } from "./use-shares";

const MINUTE_MS = 60_000;
const TIMES = [
  { value: 15 * MINUTE_MS, label: "15 min" },
  { value: SHARE_TIMES.default, label: "1 hour" },
  { value: 8 * 60 * MINUTE_MS, label: "8 hours" },
  { value: 24 * 60 * MINUTE_MS, label: "1 day" },
  { value: SHARE_TIMES.most, label: "7 days" },
];

/** A link that was made: the server's answer, and the choices that were made for it. */
export type MadeLink = {
  created: CreatedShare;
  address: ShareAddress;
  isRedacted: boolean;
  without: readonly LeftOut[];
};

const NAMES: Record<LeftOut, string> = { thinking: "Thinking", agents: "Agents", images: "Images" };

/** What a form for a link has chosen so far. */
type LinkChoices = {
  expiresInMs: number;
  isRedacted: boolean;
  /** The findings that the link shows all the same, by their names. */
  kept: ReadonlySet<string>;
  without: readonly LeftOut[];
  comments: boolean;
  /** The origin of the link's address, `null` while none was chosen. */
  origin: string | null;
};

const AT_FIRST: LinkChoices = {
  expiresInMs: SHARE_TIMES.default,
  isRedacted: true,
  kept: new Set(),
  without: [],
  comments: false,
  origin: null,
};

/** A group of the form: what is chosen, and how to choose otherwise. */
type ChoiceProps = { choices: LinkChoices; onChange: (change: Partial<LinkChoices>) => void };

/** A form for a link that opens only this session, for another person. */
export function PersonForm({
  sessionId,
  onMade,
}: {
  sessionId: SessionId;
  onMade: (link: MadeLink) => void;
}) {
  const href = useViewLink();
  const { detail } = usePreferences();
  const [choices, setChoices] = useState(AT_FIRST);
  const change = (some: Partial<LinkChoices>) => setChoices((old) => ({ ...old, ...some }));
  const addresses = addressesToChoose(useShares().data?.addresses ?? []);
  const address = pickAddress(addresses, choices.origin);
  const create = useCreateShare();
  const submit = () => {
    const { expiresInMs, isRedacted, kept, without, comments } = choices;
    const except = isRedacted ? [...kept] : [];
    const place = placeOfLink(href, detail);
    create.mutate(
      { sessionId, expiresInMs, redact: isRedacted, except, without: [...without], comments, place },
      { onSuccess: (created) => onMade({ created, address, isRedacted, without }) },
    );
  };
  return (
    <form
      className="grid grid-cols-1 gap-4 p-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="text-fg-2">
        Opens this session, at this place, to read. It opens nothing else, and you can take it back.
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="w-20">Expires in</span>
        <Segmented
          label="Expires in"
          choices={TIMES}
          value={choices.expiresInMs}
          onChange={(expiresInMs) => change({ expiresInMs })}
        />
      </div>
      <PartsChoice choices={choices} onChange={change} />
      <RedactionChoice sessionId={sessionId} choices={choices} onChange={change} />
      <CommentsChoice choices={choices} onChange={change} />
      {addresses.length > 0 ? (
        <AddressChoice addresses={addresses} address={address} onChoose={(origin) => change({ origin })} />
      ) : (
        // Its room, so that the button below does not move from under the pointer when the addresses arrive.
        <div aria-hidden="true" className="invisible">
          <AddressChoice addresses={[USUAL]} address={USUAL} onChoose={() => undefined} />
        </div>
      )}
      {create.error && (
        <p role="alert" className="text-12 [overflow-wrap:anywhere] text-err">
          {create.error instanceof ApiError ? create.error.problem : create.error.message}
          {create.error instanceof ApiError && <span className="block">{create.error.hint}</span>}
        </p>
      )}
      <Button
        data-autofocus
        type="submit"
        kind="primary"
        className="h-7 justify-self-start"
        disabled={create.isPending}
      >
        {create.isPending ? "Creating the link…" : "Create link"}
      </Button>
    </form>
  );
}

/** Which parts of the session the link opens. */
function PartsChoice({ choices: { without }, onChange }: ChoiceProps) {
  return (
    <fieldset className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
      <legend className="float-left w-20 max-sm:float-none max-sm:mb-1 max-sm:w-full">With</legend>
      {LEFT_OUT.map((name) => (
        <CheckField
          key={name}
          checked={!without.includes(name)}
          onChange={(isWith) =>
            onChange({
              without: LEFT_OUT.filter((one) => (one === name ? !isWith : without.includes(one))),
            })
          }
        >
          {NAMES[name]}
        </CheckField>
      ))}
      {without.includes("agents") && (
        <span className="w-full text-12 text-fg-2">
          Agents are not opened: only their calls and what they report are there.
        </span>
      )}
      {without.includes("images") && (
        <span className="w-full text-12 text-fg-2">A word stands in the place of each image and PDF.</span>
      )}
    </fieldset>
  );
}

/** Whether secrets are redacted, which ones there are, and which of them stay. */
function RedactionChoice({
  sessionId,
  choices: { isRedacted, kept, without },
  onChange,
}: ChoiceProps & { sessionId: SessionId }) {
  return (
    <div>
      <CheckField checked={isRedacted} onChange={(isChecked) => onChange({ isRedacted: isChecked })}>
        Redact secrets
        {!isRedacted && (
          <span className="block text-12 text-warn">
            Whoever has the link reads every secret and name that is in this session.
          </span>
        )}
      </CheckField>
      {isRedacted && (
        <div className="pl-[21px] text-12">
          <RedactionPreview id={sessionId} kept={kept} onKeep={(names) => onChange({ kept: names })} />
          <p className="pt-1 text-fg-3">
            Secrets of no known form are not found
            {without.includes("images") ? "" : ", and images stay as they are"}: look before you share.
          </p>
        </div>
      )}
    </div>
  );
}

function CommentsChoice({ choices: { comments }, onChange }: ChoiceProps) {
  return (
    <CheckField checked={comments} onChange={(isChecked) => onChange({ comments: isChecked })}>
      Let them comment
      {comments && (
        <span className="block text-12 text-fg-2">
          They can read all comments on this session, redacted as the session is, and add their own. None of
          your other marks are shown.
        </span>
      )}
    </CheckField>
  );
}

/** A server's only address, as long as its own are not known. */
const USUAL: ShareAddress = { origin: "", kind: "loopback", encrypted: false };

/** All addresses except further names of this machine for itself. */
function addressesToChoose(addresses: readonly ShareAddress[]): ShareAddress[] {
  const local = addresses.filter(({ kind }) => kind === "loopback");
  const one = local.find(({ origin }) => origin === window.location.origin) ?? local[0];
  return addresses.filter((address) => address.kind !== "loopback" || address === one);
}

/** The chosen address, or else the one at which this page was opened. */
function pickAddress(addresses: readonly ShareAddress[], chosen: string | null): ShareAddress {
  const { origin, protocol } = window.location;
  const at = (wanted: string | null) => addresses.find((one) => one.origin === wanted);
  return (
    at(chosen) ?? at(origin) ?? addresses[0] ?? { origin, kind: "name", encrypted: protocol === "https:" }
  );
}

/** The address of the link, and who can reach it. */
function AddressChoice({
  addresses,
  address,
  onChoose,
}: {
  addresses: readonly ShareAddress[];
  address: ShareAddress;
  onChoose: (origin: string) => void;
}) {
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="pb-1">Address</legend>
      {addresses.map((one) => (
        <label key={one.origin} className="flex min-w-0 items-baseline gap-2">
          {addresses.length > 1 && (
            <input
              type="radio"
              name="address"
              className="size-[13px] flex-none self-center accent-accent"
              checked={one.origin === address.origin}
              onChange={() => onChoose(one.origin)}
            />
          )}
          <span className="min-w-0">
            <span className="font-mono text-code [overflow-wrap:anywhere]">{one.origin + basePath()}</span>{" "}
            <span className="text-12 text-fg-2">{describeAddress(one)}</span>
          </span>
        </label>
      ))}
      {isReadable(address) && <NotEncrypted />}
    </fieldset>
  );
}

function NotEncrypted() {
  return (
    <p className="text-12 text-warn">
      Not encrypted: others in the same network can read along, and take the link.
    </p>
  );
}

/** The new link. Its token cannot be shown again. */
export function CreatedLink({ created, address, isRedacted, without }: MadeLink) {
  const link = shareLink(address.origin, created);
  return (
    <div className="grid grid-cols-1 gap-4 p-4">
      <p role="status" className="text-fg-2">
        The link is ready. {isRedacted ? "Secrets are redacted. " : "Secrets are not redacted. "}
        {without.length > 0 && `It opens the session ${formatWithout(without)}. `}
        It expires in <Remaining untilMs={created.expiresAtMs} />, and is not shown again.
      </p>
      <LinkLine link={link} />
      <div className="flex flex-wrap items-start gap-4">
        <QrCode text={link} label="QR code of the link" />
        <div className="grid min-w-0 flex-[1_1_16rem] gap-1.5 text-12 text-fg-2">
          <p>Opens {describeAddress(address)}.</p>
          {address.kind === "loopback" && (
            <>
              <p>On another machine, run this first, with a user name and this machine’s address:</p>
              <CommandLine command={tunnelCommand(address.origin)} />
            </>
          )}
          {isReadable(address) && <NotEncrypted />}
        </div>
      </div>
    </div>
  );
}
