// The protocol half of a bot: speaks docs/bot-protocol.md. Node.js 18 or later, no packages.
//
//     import { Bot } from "./upheaval_bot.mjs";
//
//     class Mine extends Bot {
//       name = "mine";
//       movement(game, request) {
//         return ["A PAR - BUR"];
//       }
//     }
//
//     new Mine().run();
//
// Decisions without a method are left to the game: units hold, dislodged units go where the variant sends them, nothing is
// built, and missing removals are made by the rules of civil disorder. Standard output belongs to the protocol;
// `console.error` is the log.

import { createInterface } from "node:readline";

/** Chance that follows from a seed, so that the same run gives the same games: Marsaglia's xorshift of 32 bits. */
export class Dice {
  constructor(seed) {
    // Both halves of the seed, which has 53 bits. The state is never 0.
    this.state = (Math.imul(seed % 2 ** 32, 0x9e3779b1) ^ Math.floor(seed / 2 ** 32)) >>> 0 || 1;
    for (let warm = 0; warm < 16; warm++) {
      this.next();
    }
  }

  /** A number from 0 up to 1, which is excluded. */
  next() {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to a bound, which is excluded. */
  below(bound) {
    return Math.floor(this.next() * bound);
  }

  /** One of a list, each equally likely. */
  choice(list) {
    return list[this.below(list.length)];
  }

  /** The list in a random order; the list itself stays as it is. */
  shuffled(list) {
    const mixed = [...list];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
    }
    return mixed;
  }
}

/** A game that is being played: the power, the rules, and the map as it is now. */
export class Game {
  constructor(message) {
    this.name = message.game;
    this.power = message.power;
    this.variant = message.variant;
    this.rules = message.rules;
    this.lastYear = message.last_year;
    this.map = message.map;
    this.dice = new Dice(message.seed);
  }

  /** Brings the map up to date: tables of faces one by one, short lists whole. */
  change(changes) {
    for (const face of changes.gone) {
      delete this.map.faces[face];
    }
    Object.assign(this.map.faces, changes.faces);
    for (const key of ["counts", "isthmuses", "points", "waterways"]) {
      if (key in changes) {
        this.map[key] = changes[key];
      }
    }
  }
}

/** Answers requests until the message `quit`. */
export class Bot {
  name = "nameless";
  /** With `true`, each request lists the legal orders. */
  legal = false;
  /** With `true`, each request has `history`: what was settled since the last request, with its results. */
  history = false;
  /** With `true`, `ready` is called for each game with its map before the first request. */
  readyAgain = false;

  ready(game) {}

  movement(game, request) {
    return [];
  }

  retreats(game, request) {
    return [];
  }

  adjustments(game, request) {
    return [];
  }

  seismic(game, request) {
    return [];
  }

  coasts(game, request) {
    return [];
  }

  /** Our orders that did not count, told with the next request: each with its phase, its text and the reason. */
  refused(game, orders) {
    for (const { phase, order, reason } of orders) {
      process.stderr.write(`${phase}: ${order}: ${reason}\n`);
    }
  }

  result(game, message) {}

  async run(input = process.stdin, output = process.stdout) {
    // One line for each message, and nothing else on standard output.
    const say = (message) => output.write(`${JSON.stringify(message)}\n`);
    let game = null;
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const message = JSON.parse(line);
      switch (message.type) {
        case "hello": {
          const flags = { legal: this.legal, history: this.history, ready_again: this.readyAgain };
          say({ type: "id", game: message.game, protocol: 1, name: this.name, ...flags });
          break;
        }
        case "isready":
          if (game !== null && game.name === message.game) {
            this.ready(game);
          }
          say({ type: "readyok", game: message.game });
          break;
        case "newgame":
          game = new Game(message);
          break;
        case "orders?": {
          if (game === null) {
            break;
          }
          if (message.changes !== undefined) {
            game.change(message.changes);
          }
          this.refused(game, message.refused ?? []);
          const orders = this[message.asks](game, message);
          say({
            type: "orders",
            game: message.game,
            phase: message.phase,
            topology_hash: message.topology_hash,
            orders,
          });
          break;
        }
        case "result":
          if (game !== null) {
            this.refused(game, message.refused ?? []);
            this.result(game, message);
            game = null;
          }
          break;
        case "quit":
          return;
        // Unknown types are skipped.
      }
    }
  }
}
