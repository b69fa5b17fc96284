'use strict';
// The host under test: babbench conform --iut host.yaml
const { serve } = require('./adapter.js');
const { Game } = require('./bab/game.js');

serve({ implementation: 'iut-node 1' }, (hello, platform) => new Game(hello, platform));
