// Stones in descending order of what they are worth to both together, taken in turns.
#include <bits/stdc++.h>
using namespace std;

int stoneGameVI(vector<int>& aliceValues, vector<int>& bobValues) {
    int stones = aliceValues.size();
    vector<int> order(stones);
    iota(order.begin(), order.end(), 0);
    sort(order.begin(), order.end(), [&](int x, int y) { return aliceValues[x] + bobValues[x] > aliceValues[y] + bobValues[y]; });
    int lead = 0;
    for (int turn = 0; turn < stones; ++turn) lead += turn % 2 == 0 ? aliceValues[order[turn]] : -bobValues[order[turn]];
    return (lead > 0) - (lead < 0);
}

int main() {
    ios::sync_with_stdio(false);
    cin.tie(nullptr);
    int n;
    cin >> n;
    vector<int> aliceValues(n);
    for (int& value : aliceValues) cin >> value;
    vector<int> bobValues(n);
    for (int& value : bobValues) cin >> value;
    cout << stoneGameVI(aliceValues, bobValues) << "\n";
}
