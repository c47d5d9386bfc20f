#!/usr/bin/env node
// A bot that draws one of the legal orders for each unit, each equally likely. It plays every variant.

import { Bot } from "./upheaval_bot.mjs";

class RandomBot extends Bot {
  name = "random in Node.js";
  legal = true;

  movement(game, request) {
    const orders = Object.values(request.legal).map((legal) => game.dice.choice(legal));
    const lists = Object.entries(request.retreats ?? {}).map(([unit, ways]) => {
      // Where retreats are sent with the orders: some of the places, in any order.
      const listed = game.dice.shuffled(ways).slice(0, game.dice.below(ways.length + 1));
      return listed.length > 0 ? [`${unit} R ${listed.join(" ")}`] : [];
    });
    const exempt = request.exempt_choices?.length ? [`EXEMPT ${game.dice.choice(request.exempt_choices)}`] : [];
    const votes = Object.entries(request.polls ?? {}).map(([topic, options]) => `${topic} ${game.dice.choice(options)}`);
    return [...orders, ...lists.flat(), ...exempt, ...votes];
  }

  retreats(game, request) {
    return request.dislodged.map(({ unit, options }) => {
      // Disbanding is one choice among the others.
      const to = game.dice.choice([null, ...options]);
      return to === null ? `${unit} D` : `${unit} R ${to}`;
    });
  }

  adjustments(game, request) {
    if (request.removals !== undefined) {
      return this.removals(game, request);
    }
    const built = new Set();
    return game.dice.shuffled(request.sites).filter((order) => {
      const province = order.split(" ")[1].split("/")[0];
      if (built.size >= request.builds || built.has(province)) {
        return false;
      }
      built.add(province);
      return true;
    });
  }

  removals(game, request) {
    const answer = [];
    let left = request.removals;
    for (const unit of game.dice.shuffled(request.powers[game.power].units)) {
      // An army/fleet is two units; where one removal is left, only the army goes.
      const aboard = unit.startsWith("A/F ");
      if (left > 0) {
        answer.push(aboard && left === 1 ? `A ${unit.split(" ")[1]} D` : `${unit} D`);
        left -= aboard ? Math.min(2, left) : 1;
      }
    }
    return answer;
  }

  seismic(game, request) {
    const quake = game.dice.choice([null, ...request.quakes]);
    return quake === null ? [] : [quake];
  }

  coasts(game, request) {
    const chosen = (request.coasts ?? []).map(({ unit, options }) => `${unit} COAST ${game.dice.choice(options)}`);
    const disbanded = (request.trapped ?? []).filter(() => game.dice.below(2) === 0).map((fleet) => `${fleet} D`);
    return [...chosen, ...disbanded];
  }
}

new RandomBot().run();
